import type { ModelRegistry } from '@modelwire/core'
import type { Served } from './boot-report.ts'

/** What is reachable once everything is mounted. */
export function describeServed(
  registry: ModelRegistry,
  paths: readonly string[],
  middleware: readonly string[]
): Served {
  const models = registry.names().map((name) => registry.typeOf(name))
  return {
    paths,
    middleware,
    models: models
      .filter(({ definition }) => definition.public === true)
      .map(({ name, httpPath, dataSource }) => ({ name, path: httpPath, dataSource: dataSource?.name })),
    dataSources: Array.from(registry.dataSources.values(), ({ name, connector }) => ({
      name,
      connector: connector.name
    }))
  }
}
