import type { DataSource } from '../contract/data-source.ts'
import type { Registry } from '../contract/registry.ts'

/** The name of the only data source; undefined where there is none, or several. */
export function onlyDataSource(dataSources: ReadonlyMap<string, DataSource>): string | undefined {
  const [only, ...others] = dataSources.keys()
  return others.length === 0 ? only : undefined
}

/**
 * Gives models without a data source one: the named one, else the only one that there is. Names without a model are passed over, and
 * so are models whose definition says `dataSource: null`: others extend them.
 * @throws {UnknownDataSource} there is none of this name
 */
export function attachModels(registry: Registry, names: readonly string[], dataSource: string | undefined): void {
  const wanted = dataSource ?? onlyDataSource(registry.dataSources)
  if (wanted === undefined) return
  for (const name of names) {
    const model = registry.find(name)
    if (model !== undefined && model.dataSource === undefined && model.definition.dataSource !== null)
      registry.attach(name, wanted)
  }
}
