import type { ModelRegistry } from '../registry.ts'
import type { SharedStore } from '../shared/shared-store.ts'
import { dataSourceStore } from './data-source-store.ts'

/**
 * Lets the processes of an application share by a store, or by a data source of the application, which is given by its name.
 * @throws {UnknownDataSource} there is none of this name
 * @throws {InvalidOption} the data source cannot keep the shared state
 */
export function useSharedState(registry: ModelRegistry, option: string | SharedStore | undefined): void {
  if (option === undefined) return
  const { shared } = registry
  shared.use(typeof option === 'string' ? dataSourceStore(registry, option) : option)
  registry.addPurge({ name: 'shared state', run: () => shared.purge() })
}
