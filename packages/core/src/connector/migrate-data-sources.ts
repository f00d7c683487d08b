import { NotImplemented } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Awaitable } from '@modelwire/server'
import type { Registry } from '../contract/registry.ts'
import type { DataSource } from '../contract/data-source.ts'
import type { MigrateOptions, MigrationPlan, MigrationStep, PlanOptions } from '../contract/migration.ts'

/**
 * Which models are migrated, and how.
 */
export interface MigrationScope extends Partial<PlanOptions> {
  /** Names of data sources; all of them when absent. */
  readonly dataSources?: readonly string[] | undefined
  /** Names of models; all attached ones when absent. */
  readonly models?: readonly string[] | undefined
}

/**
 * The plan for one data source.
 * @example
 * ```ts
 * import { type DataSourcePlan, planMigration } from '@modelwire/core'
 *
 * const summary = ({ dataSource, steps }: DataSourcePlan) =>
 *   `${dataSource}: ${steps.map(({ kind }) => kind).join()}`
 * console.log((await planMigration(app.models)).map(summary)) // [ 'archive: createTable' ]
 * ```
 */
export interface DataSourcePlan extends MigrationPlan {
  readonly dataSource: string
}

/**
 * How the migration of several data sources runs.
 */
export interface MigrationRun extends MigrationScope, Pick<MigrateOptions, 'lockTimeout'> {
  /** The approved plans of `planMigration`: a migration that differs from them is refused. */
  readonly plans?: readonly DataSourcePlan[] | undefined
  /** Called before each step, which waits for it. `position` starts at 1. */
  readonly onStep?:
    | ((step: MigrationStep, progress: { dataSource: string; position: number; total: number }) => Awaitable<void>)
    | undefined
}

/**
 * Plans a migration, without changing anything: one plan per data source that has tables.
 *
 * `planMigration(app.models)` for an application, `planMigration(registry)` for a registry.
 * @throws {NotImplemented} a data source that is named does not exist, or has no tables
 * @throws {UnknownModel} a model that is named does not exist
 * @example
 * ```ts
 * import { planMigration } from '@modelwire/core'
 *
 * for (const { dataSource, steps } of await planMigration(app.models)) console.log(dataSource, steps[0]?.kind) // archive createTable
 * ```
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
 * Brings the tables of all models up to date, data source by data source, and returns what was done. Other processes wait
 * meanwhile.
 * @throws {NotImplemented} a data source that is named does not exist, or has no tables
 * @throws {UnknownModel} a model that is named does not exist
 * @example
 * ```ts
 * import { migrate } from '@modelwire/core'
 *
 * await migrate(app.models)
 * await app.models.Invoice.create({ total: 99 })
 * console.log(await app.models.Invoice.count()) // 1
 * ```
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
