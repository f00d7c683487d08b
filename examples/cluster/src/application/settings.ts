import { readEnvironment } from '@modelwire/core/environment'
import { type Static, Type } from '@sinclair/typebox'

/** What differs from one installation to the next. */
export const SettingsSchema = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 3000 }),
  PROBES_PORT: Type.Integer({ default: 9000, description: 'port of /live, /ready and /metrics' }),
  TRUSTED_PROXY: Type.String({ default: 'loopback', description: 'who says where requests come from: addresses, networks or their names' }),
  DATABASE_URL: Type.String({ description: 'all hosts of the database, the primary and its standbys' }),
  DATABASE_CONNECTIONS: Type.Integer({ default: 10, description: 'of this process' }),
  CHANGES_RETENTION: Type.Integer({ default: 604_800, description: 'seconds that logged changes are kept' }),
  LOG_LEVEL: Type.String({ default: 'info' })
})

/** The settings of a process. */
export type Settings = Static<typeof SettingsSchema>

/** Reads the environment. @throws {EnvironmentInvalid} a variable is missing or malformed */
export const readSettings = (): Settings => readEnvironment(SettingsSchema)
