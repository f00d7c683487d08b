import type { Awaitable } from '../values/awaitable.ts'

/** One change of a database towards the schema that its models need. */
export interface MigrationStep {
  readonly kind:
    | 'createSchema'
    | 'createTable'
    | 'dropTable'
    | 'emptyTable'
    | 'addColumn'
    | 'alterColumn'
    | 'dropColumn'
    | 'createIndex'
    | 'dropIndex'
    | 'addForeignKey'
    | 'dropForeignKey'
    | 'prepare'
  /** The model that needs it; undefined where several do. */
  readonly model: string | undefined
  /** What it does, in words. */
  readonly description: string
  /** The statement that is run. */
  readonly statement: string
  /** Records or parts of them are lost. */
  readonly destructive: boolean
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
