import { readEnvironment } from '@modelwire/core/environment'
import { type Static, Type } from '@sinclair/typebox'

/** What differs from one installation to the next. */
export const SettingsSchema = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 3000 }),
  PROBES_PORT: Type.Integer({ default: 9000, description: 'port of /live, /ready and /metrics' }),
  TRUSTED_PROXY: Type.String({
    default: 'loopback',
    description: 'who says where requests come from: addresses, networks or their names'
  }),
  DATABASE_URL: Type.String({ description: 'all hosts of the database, the primary and its standbys' }),
  REPLICAS_URL: Type.Optional(Type.String({ description: 'the same hosts: those that copy the primary answer reads' })),
  REDIS_URL: Type.Optional(Type.String({ description: 'what processes share: without it each has its own' })),
  WEBHOOKS_SECRET: Type.Optional(Type.String({ description: 'encrypts the secrets of endpoints in the database' })),
  WEBHOOKS_HOSTS: Type.Array(Type.String(), {
    default: [],
    description: 'hosts of your own network that may be sent to'
  }),
  WEBHOOKS_KEPT: Type.Integer({ default: 2_592_000, description: 'seconds that delivered messages are kept' }),
  RECEIVER_URL: Type.Optional(Type.String({ description: 'where a new shop sends its orders to' })),
  RECEIVER_SECRET: Type.Optional(Type.String({ description: 'what these messages are signed with' })),
  DATABASE_CONNECTIONS: Type.Integer({ default: 10, description: 'of this process' }),
  CHANGES_RETENTION: Type.Integer({ default: 604_800, description: 'seconds that logged changes are kept' }),
  LOG_LEVEL: Type.String({ default: 'info' })
})

/** The settings of a process. */
export type Settings = Static<typeof SettingsSchema>

/** Reads the environment. @throws {EnvironmentInvalid} a variable is missing or malformed */
export const readSettings = (): Settings => readEnvironment(SettingsSchema)
