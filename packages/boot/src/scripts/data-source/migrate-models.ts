import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { type ModelRegistry, NotImplemented } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import type { ModelType } from '@modelwire/core/plugin'

/**
 * `dataSource.automigrate` and `autoupdate`: makes the database ready for models, all attached ones when none is named.
 * With `empty` their records are removed. A connector without schemas has nothing to update.
 * @throws {ScriptArgumentInvalid} a model is not attached to the data source
 * @throws {NotImplemented} the connector cannot start anew
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, automigrate and autoupdate
 */
export async function migrateModels(
  registry: ModelRegistry,
  dataSource: DataSource,
  names: unknown,
  { empty }: { empty: boolean }
): Promise<void> {
  const { connector } = dataSource
  const models = findModels(registry, dataSource, names, empty)
  if (connector.migrate !== undefined) await connector.migrate(models, { empty })
  else if (empty) throw new NotImplemented(`the connector ${connector.name} cannot migrate`)
}

/** `dataSource.isActual`: an update would change nothing. A connector without schemas is always ready. */
export async function isActual(registry: ModelRegistry, dataSource: DataSource, names: unknown): Promise<boolean> {
  const models = findModels(registry, dataSource, names, false)
  const plan = await dataSource.connector.planMigration?.(models, { empty: false })
  return plan === undefined || plan.steps.every(({ kind }) => kind === 'createSchema')
}

/** LB3: a name that is unknown here stops `automigrate`; `autoupdate` passes over it. */
function findModels(registry: ModelRegistry, dataSource: DataSource, names: unknown, isStrict: boolean): ModelType[] {
  const attached = registry
    .names()
    .map((name) => registry.typeOf(name))
    .filter((model) => model.dataSource === dataSource)
  if (names === undefined || names === null) return attached
  const wanted = [names].flat().map(String)
  const unknown = wanted.filter((name) => !attached.some((model) => model.name === name))
  if (isStrict && unknown.length > 0)
    throw new ScriptArgumentInvalid(`no such models of ${dataSource.name} can be migrated: ${unknown.join(', ')}`)
  return attached.filter(({ name }) => wanted.includes(name))
}
