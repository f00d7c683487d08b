import type { Awaitable } from '@modelwire/server'

/**
 * The state of a migration: `applied` completely; `applying` and `reverting` while it runs and the database commits each
 * step by itself, or afterwards if the process ended meanwhile; `apply failed` and `revert failed` if a step was refused.
 */
export type MigrationState = 'applied' | 'applying' | 'apply failed' | 'reverting' | 'revert failed'

/** A database's record of a migration. */
export interface RecordedMigration {
  readonly name: string
  /** Checksum of the file that was run. */
  readonly checksum: string
  readonly state: MigrationState
  /** Number of steps that took effect, in the direction of the state. */
  readonly stepsDone: number
  /** Greater than that of all earlier migrations. */
  readonly position: number
  /** In ISO 8601, in UTC. */
  readonly appliedAt: string
  /** Milliseconds. */
  readonly duration: number
}

/** The argument of a step written as code. */
export interface MigrationTools {
  /**
   * Runs a statement in the database's own language, as part of the migration, and returns its rows or the number of
   * changes.
   */
  readonly execute: (statement: string, parameters?: readonly unknown[]) => Promise<unknown>
}

/** A step of a migration: a statement, or code. */
export type MigrationAction = string | ((tools: MigrationTools) => Awaitable<unknown>)

/** One migration, up or down. */
export interface MigrationTask {
  readonly direction: 'up' | 'down'
  readonly name: string
  readonly checksum: string
  readonly steps: readonly MigrationAction[]
  /** Number of steps that already took effect. */
  readonly stepsDone: number
  /** All of its steps run in one transaction, if the database supports that. */
  readonly transaction: boolean
}

/** How a migration is run. */
export interface TaskOptions {
  /** Milliseconds to wait while another process is migrating. */
  readonly lockTimeout?: number | undefined
  /** Called before each step. `position` starts at 1. */
  readonly onStep?: ((task: MigrationTask, position: number) => Awaitable<void>) | undefined
}

/** The migrations applied to a database, stored in a table. No two processes change it at once. */
export interface MigrationHistory {
  /** All of them, in the order of application; empty if the table does not exist. */
  read(table: string): Promise<readonly RecordedMigration[]>
  /**
   * Reads what was applied, lets `choose` decide what to do next, does it and records it, while no other process is
   * migrating. Returns what was done; undefined if `choose` had nothing to do. If the database retries a transaction,
   * `choose` is called again.
   */
  runNext(
    table: string,
    choose: (recorded: readonly RecordedMigration[]) => MigrationTask | undefined,
    options?: TaskOptions
  ): Promise<MigrationTask | undefined>
  /** Records these as applied with this checksum, without running anything. */
  record(
    table: string,
    choose: (recorded: readonly RecordedMigration[]) => readonly Pick<RecordedMigration, 'name' | 'checksum'>[],
    options?: TaskOptions
  ): Promise<void>
}

/** One change of a database towards the schema that its models require. */
export interface MigrationStep {
  readonly kind:
    | 'createSchema'
    | 'createTable'
    | 'dropTable'
    | 'emptyTable'
    | 'distributeTable'
    | 'addColumn'
    | 'alterColumn'
    | 'dropColumn'
    | 'createIndex'
    | 'dropIndex'
    | 'addForeignKey'
    | 'addCheck'
    | 'dropCheck'
    | 'dropForeignKey'
    | 'renameTable'
    | 'renameColumn'
    | 'createTrigger'
    | 'dropTrigger'
    | 'prepare'
  /** The model that requires it; undefined if several do. */
  readonly model: string | undefined
  /** Its description. */
  readonly description: string
  /** The column that is added or dropped; absent for other steps. */
  readonly column?: { readonly table: string; readonly name: string }
  /** The statement to run. */
  readonly statement: string
  /** It deletes records or parts of them. */
  readonly destructive: boolean
  /** How it is undone, if the plan includes that; absent if nothing needs to be undone. */
  readonly back?: WayBack
  /** The statement cannot run in a transaction; only if the plan includes how steps are undone. */
  readonly outsideTransaction?: true
}

/** How a step is undone. Either `statements` undo it, or `unknown` describes what they would have to restore. */
export interface WayBack {
  /** In the order of execution. */
  readonly statements: readonly string[]
  /** Describes the data that it deletes. */
  readonly loses?: string
  /** Describes what cannot be restored: somebody must write the reversal. */
  readonly unknown?: string
}

/** Something that was renamed in the models: the name in the database, as `table`, or `table.column`. */
export interface Rename {
  readonly from: string
  /** The new name, without the table. */
  readonly to: string
}

/** The steps of a migration, in order, and what it does not do. */
export interface MigrationPlan {
  readonly steps: readonly MigrationStep[]
  /** Requirements of models that the migration cannot fulfil, as text. */
  readonly notes: readonly string[]
}

/** The options of a migration plan. */
export interface PlanOptions {
  /** Recreate tables: all records are lost. */
  readonly empty: boolean
  /** Drop columns and unique indexes that no model declares. */
  readonly prune?: boolean | undefined
  /** Tables and columns to rename, keeping their records. */
  readonly renames?: readonly Rename[] | undefined
  /** Include how each step is undone. */
  readonly back?: boolean | undefined
  /** Ignore the current state of the database: plan as for an empty one. */
  readonly fromNothing?: boolean | undefined
}

/** How a migration is executed. */
export interface MigrateOptions extends PlanOptions {
  /** Called before each step, which waits for it. `position` starts at 1. */
  readonly onStep?: ((step: MigrationStep, position: number, total: number) => Awaitable<void>) | undefined
  /** The approved plan: a migration that differs from it is refused. */
  readonly plan?: MigrationPlan | undefined
  /** Milliseconds to wait while another process is migrating. */
  readonly lockTimeout?: number | undefined
}
