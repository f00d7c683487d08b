import type { Connector, DataSource, ModelRegistry } from '@modelwire/core'
import { acceptCallback, type ScriptFunction } from '../callback-bridge.ts'

/** A data source as scripts see it. */
export interface ScriptDataSource {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly connector: Connector
  /** The classes of the models that are attached, by name. */
  readonly models: Readonly<Record<string, unknown>>
  readonly ping: ScriptFunction
  readonly disconnect: ScriptFunction
}

const made = new WeakMap<DataSource, ScriptDataSource>()

/** The script's view of a data source; the same one every time. */
export function scriptDataSource(registry: ModelRegistry, dataSource: DataSource): ScriptDataSource {
  const known = made.get(dataSource)
  if (known !== undefined) return known
  const { name, settings, connector } = dataSource
  const view: ScriptDataSource = {
    name,
    settings,
    connector,
    get models() {
      return attachedModels(registry, dataSource)
    },
    ping: acceptCallback(() => connector.ping()),
    disconnect: acceptCallback(() => connector.disconnect())
  }
  made.set(dataSource, view)
  return view
}

function attachedModels(registry: ModelRegistry, dataSource: DataSource): Record<string, unknown> {
  const models = registry.names().map((name) => registry.typeOf(name))
  return Object.fromEntries(
    models.filter((model) => model.dataSource === dataSource).map((model) => [model.name, model.modelClass])
  )
}
