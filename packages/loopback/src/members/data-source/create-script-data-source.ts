import type { ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { UnknownConnector } from '../../errors.ts'
import { isConnector, isConnectorModule, type MakeConnector, readConnector } from './connector-tokens.ts'
import { dataSourceBehind, freeName, hideDataSource } from '../definition/data-source-handles.ts'
import { type ScriptDataSource, scriptDataSource } from './script-data-source.ts'

/** How the data sources of scripts are created. */
export interface DataSourceParts {
  readonly registry: () => ModelRegistry
  /** Creates the connector named in settings. */
  readonly createConnector: (name: string, settings: Readonly<Record<string, unknown>>) => Connector
  /** The connectors of `app.connector(name, factory)`. */
  readonly connectors: ReadonlyMap<string, MakeConnector>
}

interface DataSourceArguments {
  readonly name: string | undefined
  readonly settings: Readonly<Record<string, unknown>>
}

/** The ways of `createDataSource`: `(name, settings)`, `(settings)`, `(connector, settings)` or the name of a connector alone. */
function readArguments(name: unknown, settings: unknown): DataSourceArguments {
  if (isConnectorModule(name) || (isPlainObject(name) && settings !== undefined))
    return readArguments(undefined, { ...(isPlainObject(settings) ? settings : {}), connector: name })
  if (isConnectorModule(settings)) return readArguments(name, { connector: settings })
  if (isPlainObject(name)) return readArguments(undefined, name)
  const fields = isPlainObject(settings) ? settings : {}
  const own = typeof name === 'string' ? name : fields['name']
  return { name: typeof own === 'string' ? own : undefined, settings: fields }
}

/** @throws {UnknownConnector} the settings name none, or one that is not there */
function makeConnector(
  { createConnector, connectors }: DataSourceParts,
  { name, settings }: DataSourceArguments
): Connector {
  const wanted = readConnector(settings['connector'] ?? settings['adapter']) ?? name
  if (wanted === undefined) throw new UnknownConnector('a data source requires a connector: { connector: "memory" }')
  const connectorSettings = name === undefined ? settings : { name, ...settings }
  if (typeof wanted !== 'string') return checkConnector(wanted(connectorSettings))
  const own = connectors.get(wanted)
  return own === undefined
    ? createConnector(wanted, { ...connectorSettings, connector: wanted })
    : checkConnector(own(connectorSettings))
}

/** @throws {UnknownConnector} the function made something else */
function checkConnector(made: unknown): Connector {
  if (isConnector(made)) return made
  throw new UnknownConnector('a function passed as connector must create a connector of @modelwire/core')
}

async function openSources(registry: ModelRegistry): Promise<void> {
  try {
    await registry.connect()
  } catch {
    // The start waits for every data source itself, and reports the one that cannot be opened.
  }
}

/**
 * Creates a data source for a script and opens it. One that is not the application's is not listed in `app.dataSources`.
 * @throws {UnknownConnector} the settings name no connector, or one that is not there
 */
export function createScriptDataSource(
  parts: DataSourceParts,
  name: unknown,
  settings: unknown,
  { isListed = false } = {}
): ScriptDataSource {
  const parsed = readArguments(name, settings)
  const registry = parts.registry()
  const connector = makeConnector(parts, parsed)
  const shown = parsed.name ?? connector.name
  const key = isListed ? shown : freeName(registry, shown)
  const dataSource = registry.addDataSource(key, connector, parsed.settings)
  if (!isListed) hideDataSource(dataSource)
  void openSources(registry)
  return scriptDataSource(registry, dataSource, shown)
}

/** Implements `new loopback.DataSource(…)`. Every data source of an application counts as an instance. */
export function dataSourceClass(parts: DataSourceParts): object {
  const make = function DataSource(name?: unknown, settings?: unknown): ScriptDataSource {
    return createScriptDataSource(parts, name, settings)
  }
  return Object.defineProperty(make, Symbol.hasInstance, {
    value: (value: unknown) => dataSourceBehind(value) !== undefined
  })
}
