import { join, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isPlainObject } from '@modelwire/core/plugin'
import { CommandError } from '../errors.ts'
import { manifestOf } from '../load-project.ts'

const MigrationSettingsSchema = Type.Object(
  {
    folder: Type.String({ minLength: 1, default: 'migrations', description: 'where the files are' }),
    table: Type.String({
      minLength: 1,
      maxLength: 63,
      default: 'modelwire_migrations',
      description: 'the table that records what was applied'
    })
  },
  { additionalProperties: false }
)

/** Where the migrations of a project are, and the table of those that were applied. */
export type MigrationSettings = Static<typeof MigrationSettingsSchema>

/**
 * What `modelwire.migrations` of package.json says, with the folder as a whole path.
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
  const [problem] = Value.Errors(MigrationSettingsSchema, settings)
  const key = `modelwire.migrations${(problem?.path ?? '').replaceAll('/', '.')}`
  throw new CommandError('PROJECT_INVALID', `${join(dir, 'package.json')}: ${key}: ${problem?.message ?? 'malformed'}`)
}
