import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { ModelRegistry } from '@modelwire/core'
import { isFunction } from '../../callback-bridge.ts'
import { createScriptDataSource, type DataSourceParts } from '../data-source/create-script-data-source.ts'
import { isListed } from '../data-source/data-source-handles.ts'
import { type ScriptDataSource, scriptDataSource } from '../data-source/script-data-source.ts'
import { type MakeConnector, readConnector } from '../loopback/connector-tokens.ts'
import { scriptNames } from './model-list.ts'
import type { ScriptApp } from './script-app.ts'

/** `app.dataSources`: the data sources of the application by name, and by what scripts may call them. */
export function listDataSources(app: ScriptApp, registry: ModelRegistry): Record<string, ScriptDataSource> {
  const listed = [...registry.dataSources].filter(([, dataSource]) => isListed(dataSource))
  const named = listed.flatMap(([name, dataSource]) => {
    const view = Object.assign(scriptDataSource(registry, dataSource), { app })
    return [name, ...scriptNames(name)].map((key) => [key, view] as const)
  })
  return Object.fromEntries(named)
}

type Members = Pick<ScriptApp, 'dataSource' | 'connector' | 'connectors'>

/** `app.dataSource`, `app.connector` and `app.connectors`. */
export function dataSourceMembers(
  app: () => ScriptApp,
  parts: DataSourceParts & { connectors: Map<string, MakeConnector> }
): Members {
  const { connectors } = parts
  const memory: MakeConnector = (settings) => parts.createConnector('memory', { ...settings, connector: 'memory' })
  const shown: Record<string, unknown> = { memory, Memory: memory }
  return {
    connectors: shown,
    connector: (name, connector) => {
      const factory = typeof connector === 'string' ? undefined : readConnector(connector)
      if (!isFunction(factory))
        throw new ScriptArgumentInvalid('app.connector needs a name and a function that makes a connector')
      connectors.set(name, factory)
      for (const key of [name, ...scriptNames(name)]) shown[key] = factory
    },
    dataSource: (name, settings) =>
      Object.assign(createScriptDataSource(parts, name, settings, { isListed: true }), { app: app() })
  }
}
