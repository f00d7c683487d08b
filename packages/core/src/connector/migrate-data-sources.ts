import { NotImplemented } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'
import type { Registry } from '../contract/registry.ts'
import type { DataSource } from '../contract/data-source.ts'
import type { MigrateOptions, MigrationPlan, MigrationStep, PlanOptions } from '../contract/migration.ts'

/** Which models are migrated, and how. */
export interface MigrationScope extends Partial<PlanOptions> {
  /** Names of data sources; all of them when absent. */
  readonly dataSources?: readonly string[] | undefined
  /** Names of models; all attached ones when absent. */
  readonly models?: readonly string[] | undefined
}

/** What is planned for one data source. */
export interface DataSourcePlan extends MigrationPlan {
  readonly dataSource: string
}

/** How the migration of several data sources runs. */
export interface MigrationRun extends MigrationScope, Pick<MigrateOptions, 'lockTimeout'> {
  /** The approved plans of `planMigration`: a migration that differs from them is refused. */
  readonly plans?: readonly DataSourcePlan[] | undefined
  /** Called for each step before it runs, and may keep it waiting. `position` counts from 1. */
  readonly onStep?:
    | ((step: MigrationStep, progress: { dataSource: string; position: number; total: number }) => Awaitable<void>)
    | undefined
}

/**
 * What a migration would do, one plan per data source that has tables. Nothing is changed.
 *
 * `planMigration(app.models)` of an application, `planMigration(registry)` of a registry.
 * @throws {NotImplemented} a data source that is named does not exist, or has no tables
 * @throws {UnknownModel} a model that is named does not exist
 */
export async function planMigration(registry: Registry, scope: MigrationScope = {}): Promise<DataSourcePlan[]> {
  const plans: DataSourcePlan[] = []
  for (const { dataSource, models } of migratedIn(registry, scope)) {
    const plan = await dataSource.connector.planMigration?.(models, { ...scope, empty: scope.empty === true })
    plans.push({ ...nothingToDo, ...plan, dataSource: dataSource.name })
  }
  return plans
}

/**
 * Makes the tables of all models ready, data source by data source, and gives what was done. Other processes wait meanwhile.
 * @throws {NotImplemented} a data source that is named does not exist, or has no tables
 * @throws {UnknownModel} a model that is named does not exist
 */
export async function migrate(registry: Registry, run: MigrationRun = {}): Promise<DataSourcePlan[]> {
  const { onStep, plans: agreed, ...scope } = run
  const done: DataSourcePlan[] = []
  for (const { dataSource, models } of migratedIn(registry, scope)) {
    const { name } = dataSource
    const plan = await dataSource.connector.migrate?.(models, {
      ...scope,
      empty: scope.empty === true,
      plan: agreed && (agreed.find((each) => each.dataSource === name) ?? nothingToDo),
      onStep: onStep && ((step, position, total) => onStep(step, { dataSource: name, position, total }))
    })
    done.push({ ...nothingToDo, ...plan, dataSource: name })
  }
  return done
}

const nothingToDo: MigrationPlan = { steps: [], notes: [] }

/** The data sources that have tables, with the models of each. */
function migratedIn(
  registry: Registry,
  { dataSources: wanted, models: names }: MigrationScope
): { dataSource: DataSource; models: ModelType[] }[] {
  const without = wanted?.find((name) => registry.dataSources.get(name)?.connector.planMigration === undefined)
  if (without !== undefined) throw new NotImplemented(`the data source "${without}" has no tables`)
  const models = (names ?? registry.names()).map((name) => registry.typeOf(name))
  return [...registry.dataSources.values()]
    .filter(({ name, connector }) => connector.planMigration !== undefined && (wanted?.includes(name) ?? true))
    .map((dataSource) => ({ dataSource, models: models.filter((model) => model.dataSource === dataSource) }))
    .filter((each) => each.models.length > 0)
}
