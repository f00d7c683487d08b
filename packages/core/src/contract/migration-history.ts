import type { Awaitable } from '../values/awaitable.ts'

/**
 * How far a migration is: `applied` as a whole; `applying` and `reverting` while it runs where the database commits each step by
 * itself, or afterwards if the process ended meanwhile; `apply failed` and `revert failed` where a step was refused.
 */
export type MigrationState = 'applied' | 'applying' | 'apply failed' | 'reverting' | 'revert failed'

/** What a database has recorded of a migration. */
export interface RecordedMigration {
  readonly name: string
  /** Of the file that was run. */
  readonly checksum: string
  readonly state: MigrationState
  /** Steps that took effect, of those in the direction of the state. */
  readonly stepsDone: number
  /** Greater than that of all migrations that were applied before. */
  readonly position: number
  /** In ISO 8601, in UTC. */
  readonly appliedAt: string
  /** Milliseconds. */
  readonly duration: number
}

/** What a step in code works with. */
export interface MigrationTools {
  /** Runs a statement of the database's own, as a part of the migration, and gives its rows or how many it changed. */
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
  /** How many of the steps took effect already. */
  readonly stepsDone: number
  /** All of its steps are one transaction, where the database can do that. */
  readonly transaction: boolean
}

/** How a migration is run. */
export interface TaskOptions {
  /** Milliseconds to wait while another process migrates. */
  readonly lockTimeout?: number | undefined
  /** Called for each step before it runs. `position` counts from 1. */
  readonly onStep?: ((task: MigrationTask, position: number) => Awaitable<void>) | undefined
}

/** The migrations that were applied to a database, in a table of its own. No two processes change it at once. */
export interface MigrationHistory {
  /** All of them, in the order in which they were applied; none where the table is not there. */
  read(table: string): Promise<readonly RecordedMigration[]>
  /**
   * Reads what was applied, has `choose` say what to do next, does and records it, while no other process migrates. Gives
   * what was done; undefined where `choose` had nothing to do. Where the database repeats a transaction, `choose` is called again.
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
