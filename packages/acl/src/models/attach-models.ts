import type { ModelRegistry } from '@modelwire/core'

/**
 * Gives models without a data source one: the named one, else the only one that there is.
 * @throws {UnknownDataSource} there is none of this name
 */
export function attachModels(registry: ModelRegistry, names: readonly string[], dataSource: string | undefined): void {
  const [only, ...others] = registry.dataSources.keys()
  const wanted = dataSource ?? (others.length === 0 ? only : undefined)
  if (wanted === undefined) return
  for (const name of names)
    if (registry.find(name)?.dataSource === undefined && registry.find(name) !== undefined)
      registry.attach(name, wanted)
}
