import type { planMigration } from '@modelwire/core'
import type { AppOptions } from '../load-app.ts'
import type { Terminal } from '../terminal.ts'
import type { MigrationFile } from './migration-file.ts'
import type { MigrationSettings } from './settings.ts'
import type { MigrationPlace } from './sources.ts'

/** The options of `modelwire migrate` as the command line gives them. */
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

/** What a command on migration files works with. */
export interface MigrationWork {
  readonly registry: Parameters<typeof planMigration>[0]
  readonly settings: MigrationSettings
  readonly files: readonly MigrationFile[]
  readonly options: MigrateOptions
  /** Milliseconds. */
  readonly lockTimeout: number
  readonly terminal: Terminal
}

/** Where the migrations of the work are. */
export function placeOf({ registry, settings, options }: MigrationWork): MigrationPlace {
  return { dataSources: registry.dataSources, table: settings.table, wanted: options.dataSource }
}
