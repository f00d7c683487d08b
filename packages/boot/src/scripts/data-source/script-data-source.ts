import type { DataSource, ModelRegistry } from '@modelwire/core'
import { acceptCallback, type ScriptFunction } from '../../callback-bridge.ts'
import { type DiscoveryMethods, discoveryMethods } from './discover.ts'
import { isActual, migrateModels } from './migrate-models.ts'
import { acceptTransaction, runScriptTransaction } from './run-script-transaction.ts'
import { scriptConnector } from './script-connector.ts'
import { beginScriptTransaction } from './script-transaction.ts'

/** A data source as scripts see it. */
export interface ScriptDataSource extends DiscoveryMethods {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  /** What runs statements of the database's own, or LoopBack's connector itself; undefined where it is not installed. */
  readonly connector: unknown
  /** The same as `connector`. */
  readonly adapter: unknown
  /** The classes of the models that are attached, by name. */
  readonly models: Readonly<Record<string, unknown>>
  readonly ping: ScriptFunction
  readonly disconnect: ScriptFunction
  /** Makes the database ready for the models that are named, or all of them; their records are removed. */
  readonly automigrate: ScriptFunction
  /** Makes the database ready for the models that are named, or all of them; their records stay. */
  readonly autoupdate: ScriptFunction
  /** Whether the database has all that the models ask for. */
  readonly isActual: ScriptFunction
  /** Begins a transaction that the script ends: `{ isolationLevel, timeout }`. */
  readonly beginTransaction: ScriptFunction
  /** Runs a function with the models in a transaction, which ends with it. */
  readonly transaction: ScriptFunction
}

const made = new WeakMap<DataSource, ScriptDataSource>()

/** The script's view of a data source; the same one every time. */
export function scriptDataSource(registry: ModelRegistry, dataSource: DataSource): ScriptDataSource {
  const known = made.get(dataSource)
  if (known !== undefined) return known
  const { name, settings, connector } = dataSource
  const migrate = (empty: boolean): ScriptFunction =>
    acceptCallback((names) => migrateModels(registry, dataSource, names, { empty }), nothing)
  const shown = scriptConnector(connector)
  const view: ScriptDataSource = {
    ...discoveryMethods(registry, dataSource),
    ...connector.scriptMembers,
    name,
    settings,
    connector: shown,
    adapter: shown,
    get models() {
      return attachedModels(registry, dataSource)
    },
    ping: acceptCallback(() => connector.ping()),
    disconnect: acceptCallback(() => connector.disconnect()),
    automigrate: migrate(true),
    autoupdate: migrate(false),
    isActual: acceptCallback((names) => isActual(registry, dataSource, names)),
    beginTransaction: acceptCallback((options) => beginScriptTransaction(registry, dataSource, options)),
    transaction: acceptTransaction((execute, options) =>
      runScriptTransaction(registry, dataSource, () => execute(view.models), options)
    )
  }
  made.set(dataSource, view)
  return view
}

const nothing = (): readonly unknown[] => []

function attachedModels(registry: ModelRegistry, dataSource: DataSource): Record<string, unknown> {
  const models = registry.names().map((name) => registry.typeOf(name))
  return Object.fromEntries(
    models.filter((model) => model.dataSource === dataSource).map((model) => [model.name, model.modelClass])
  )
}
