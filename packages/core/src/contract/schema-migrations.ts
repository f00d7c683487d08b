import type { MigrateOptions, MigrationPlan, PlanOptions } from './migration.ts'
import type { MigrationHistory } from './migration-history.ts'

/** How a connector changes the schema of its database; one without a schema has none of these. */
export interface SchemaMigrations<Model> {
  /**
   * Makes the database ready for the records of `models`, and gives what it did. With `empty` those that are there are
   * removed. No two processes do so at once.
   */
  migrate?(models: readonly Model[], options: MigrateOptions): Promise<MigrationPlan>
  /** What `migrate` would do now. */
  planMigration?(models: readonly Model[], options: PlanOptions): Promise<MigrationPlan>
  /** The migrations of files that were applied; absent where migrations are not kept in files. */
  readonly migrationHistory?: MigrationHistory
}
