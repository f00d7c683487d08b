import { join, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isPlainObject, problemOf } from '@modelwire/server'
import { CommandError } from '../errors.ts'
import { manifestOf } from '../load-project.ts'
import type { planMigration } from '@modelwire/core'
import type { AppOptions } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import type { MigrationFile } from './migration-file.ts'
import type { MigrationPlace } from './sources.ts'

/** The options of `modelwire migrate` from the command line. */
export interface MigrateOptions extends AppOptions {
  readonly dataSource?: readonly string[]
  readonly model?: readonly string[]
  readonly empty?: boolean
  readonly prune?: boolean
  readonly yes?: boolean
  readonly plan?: boolean
  readonly json?: boolean
  readonly lockTimeout?: string
  readonly create?: string
  /** False: no column was renamed. */
  readonly rename?: readonly string[] | false
  readonly baseline?: boolean
  readonly data?: boolean
  readonly status?: boolean
  readonly check?: boolean
  readonly to?: string
  readonly down?: string | true
  readonly loseData?: boolean
  readonly resume?: string
  readonly dryRun?: boolean
  readonly acceptChanged?: boolean
  readonly markApplied?: readonly string[]
}

/** The context of a command on migration files. */
export interface MigrationWork {
  readonly registry: Parameters<typeof planMigration>[0]
  readonly settings: MigrationSettings
  readonly files: readonly MigrationFile[]
  readonly options: MigrateOptions
  /** Milliseconds. */
  readonly lockTimeout: number
  readonly terminal: Terminal
}

const MigrationSettingsSchema = Type.Object(
  {
    folder: Type.String({ minLength: 1, default: 'migrations', description: 'folder of the migration files' }),
    table: Type.String({
      minLength: 1,
      maxLength: 63,
      default: 'modelwire_migrations',
      description: 'table that records applied migrations'
    })
  },
  { additionalProperties: false }
)

/** The folder of a project's migrations, and the table that records applied ones. */
export type MigrationSettings = Static<typeof MigrationSettingsSchema>

/**
 * The settings `modelwire.migrations` of package.json, with the folder as an absolute path.
 * @throws {CommandError} PROJECT_INVALID: a setting is malformed
 */
export async function readMigrationSettings(dir: string): Promise<MigrationSettings> {
  const { modelwire } = await manifestOf(resolve(dir))
  const written = isPlainObject(modelwire) ? modelwire['migrations'] : undefined
  const settings: unknown = Value.Default(
    MigrationSettingsSchema,
    written === undefined ? {} : structuredClone(written)
  )
  if (Value.Check(MigrationSettingsSchema, settings)) return { ...settings, folder: resolve(dir, settings.folder) }
  const { key = '', expected = 'malformed' } = problemOf(MigrationSettingsSchema, settings) ?? {}
  const place = ['modelwire.migrations', key].filter((each) => each !== '').join('.')
  throw new CommandError('PROJECT_INVALID', `${join(dir, 'package.json')}: ${place}: ${expected}`)
}

/** The place of the migrations. */
export function placeOf({ registry, settings, options }: MigrationWork): MigrationPlace {
  return { dataSources: registry.dataSources, table: settings.table, wanted: options.dataSource }
}
