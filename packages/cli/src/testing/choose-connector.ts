import { inMemoryLike } from '@modelwire/boot'
import type { ModelRegistry } from '@modelwire/core'
import type { ChooseConnector } from '@modelwire/core/plugin'
import { TestDataSourceUnknown } from './errors.ts'
import type { TestDataSource, TestServerOptions } from './options.ts'
import { storeRoles } from './store-roles.ts'

type Wanted = TestServerOptions['dataSources']

const wantedFor = (wanted: Wanted, name: string): TestDataSource =>
  typeof wanted === 'object' ? (wanted[name] ?? 'memory') : (wanted ?? 'memory')

/** Gives each data source what the test wants for it. Roles are stored in memory alone. */
export function chooseConnector({ dataSources, roles = [] }: TestServerOptions): ChooseConnector {
  return (name, own) => {
    const choice = wantedFor(dataSources, name)
    if (choice === 'own') return own
    return choice === 'memory' ? storeRoles(inMemoryLike(own), roles) : choice
  }
}

/** @throws {TestDataSourceUnknown} the test names a data source that the application does not have */
export function checkDataSources(wanted: Wanted, { dataSources }: ModelRegistry): void {
  const names = typeof wanted === 'object' ? Object.keys(wanted) : []
  const unknown = names.find((name) => !dataSources.has(name))
  if (unknown === undefined) return
  const known = [...dataSources.keys()].join(', ')
  throw new TestDataSourceUnknown(`the application has no data source "${unknown}", but ${known}`)
}
