import { type Connector, type DataSource, type ModelRegistry, NotImplemented } from '@modelwire/core'
import { acceptCallback, type ScriptFunction } from '../callback-bridge.ts'
import { migrateModels } from './migrate-models.ts'

/** A data source as scripts see it. */
export interface ScriptDataSource {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly connector: Connector
  /** The same as `connector`. */
  readonly adapter: Connector
  /** The classes of the models that are attached, by name. */
  readonly models: Readonly<Record<string, unknown>>
  readonly ping: ScriptFunction
  readonly disconnect: ScriptFunction
  /** Makes the database ready for the models that are named, or all of them; their records are removed. */
  readonly automigrate: ScriptFunction
  /** Makes the database ready for the models that are named, or all of them; their records stay. */
  readonly autoupdate: ScriptFunction
  /** There are none: it fails and says so. */
  readonly beginTransaction: ScriptFunction
}

const made = new WeakMap<DataSource, ScriptDataSource>()

/** Fails, since scripts have no transactions. */
export const refuseTransaction: ScriptFunction = acceptCallback(async () => {
  throw new NotImplemented('scripts have no transactions')
})

/** The script's view of a data source; the same one every time. */
export function scriptDataSource(registry: ModelRegistry, dataSource: DataSource): ScriptDataSource {
  const known = made.get(dataSource)
  if (known !== undefined) return known
  const { name, settings, connector } = dataSource
  const migrate = (empty: boolean): ScriptFunction =>
    acceptCallback((names) => migrateModels(registry, dataSource, names, { empty }), nothing)
  const view: ScriptDataSource = {
    name,
    settings,
    connector,
    adapter: connector,
    get models() {
      return attachedModels(registry, dataSource)
    },
    ping: acceptCallback(() => connector.ping()),
    disconnect: acceptCallback(() => connector.disconnect()),
    automigrate: migrate(true),
    autoupdate: migrate(false),
    beginTransaction: refuseTransaction
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
