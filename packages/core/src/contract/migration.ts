import type { Awaitable } from '../values/awaitable.ts'

/** One change of a database towards the schema that its models need. */
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
    | 'dropForeignKey'
    | 'renameTable'
    | 'renameColumn'
    | 'createTrigger'
    | 'dropTrigger'
    | 'prepare'
  /** The model that needs it; undefined where several do. */
  readonly model: string | undefined
  /** What it does, in words. */
  readonly description: string
  /** The column that is added or dropped; of other steps absent. */
  readonly column?: { readonly table: string; readonly name: string }
  /** The statement that is run. */
  readonly statement: string
  /** Records or parts of them are lost. */
  readonly destructive: boolean
  /** How it is undone, where the plan was to say so; absent where nothing has to be undone. */
  readonly back?: WayBack
  /** The statement cannot be a part of a transaction; only where the plan was to say how steps are undone. */
  readonly outsideTransaction?: true
}

/** How a step is undone. Either `statements` undo it, or `unknown` says what they would have to restore. */
export interface WayBack {
  /** In the order in which they are run. */
  readonly statements: readonly string[]
  /** What of the records is lost by it, in words. */
  readonly loses?: string
  /** What cannot be restored, in words: somebody has to write the way back. */
  readonly unknown?: string
}

/** Something that has another name in the database than models have for it now: `table`, or `table.column`. */
export interface Rename {
  readonly from: string
  /** The new name, without the table. */
  readonly to: string
}

/** What a migration does, in order, and what it leaves undone. */
export interface MigrationPlan {
  readonly steps: readonly MigrationStep[]
  /** What models need and the migration cannot do, in words. */
  readonly notes: readonly string[]
}

/** What a migration is to do. */
export interface PlanOptions {
  /** Tables are made anew: all records are lost. */
  readonly empty: boolean
  /** Columns and unique indexes that no model has are dropped. */
  readonly prune?: boolean | undefined
  /** Tables and columns that get another name, and keep their records. */
  readonly renames?: readonly Rename[] | undefined
  /** The plan says how each step is undone. */
  readonly back?: boolean | undefined
  /** What the database has does not count: the plan makes everything. */
  readonly fromNothing?: boolean | undefined
}

/** How a migration is carried out. */
export interface MigrateOptions extends PlanOptions {
  /** Called for each step before it runs, and may keep it waiting. `position` counts from 1. */
  readonly onStep?: ((step: MigrationStep, position: number, total: number) => Awaitable<void>) | undefined
  /** The approved plan: a migration that differs from it is refused. */
  readonly plan?: MigrationPlan | undefined
  /** Milliseconds to wait while another process migrates. */
  readonly lockTimeout?: number | undefined
}
