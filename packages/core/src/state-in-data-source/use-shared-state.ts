import type { HealthCheck } from '../contract/health-check.ts'
import type { Registry } from '../contract/registry.ts'
import type { SharedStore } from '../shared-state/shared-store.ts'
import { dataSourceStore } from './data-source-store.ts'
import type { Purge } from '../purges/run-purges.ts'

/** A registry that can be told what to purge, and whose health to check. */
interface SharingRegistry extends Registry {
  addPurge(purge: Purge): void
  addHealthCheck(check: HealthCheck): void
}

/**
 * Lets the processes of an application share by a store, or by a data source of the application, which is given by its name.
 * @throws {UnknownDataSource} there is none of this name
 * @throws {InvalidOption} the data source cannot keep the shared state
 */
export function useSharedState(registry: SharingRegistry, option: string | SharedStore | undefined): void {
  if (option === undefined) return
  const { shared } = registry
  const store = typeof option === 'string' ? dataSourceStore(registry, option) : option
  shared.use(store)
  registry.addHealthCheck({ kind: 'sharedState', name: store.name, check: () => shared.check() })
  if (store.purge !== undefined) registry.addPurge({ name: 'shared state', run: () => shared.purge() })
}
