import { inMemoryLike } from '@modelwire/boot'
import type { ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { ChooseConnector } from '@modelwire/core/plugin'
import { TestAppInvalid, TestDataSourceUnknown } from './errors.ts'
import type { TestDataSource, TestServerOptions } from './options.ts'
import { storeRoles } from './store-roles.ts'

type Wanted = TestServerOptions['dataSources']

const wantedFor = (wanted: Wanted, name: string): TestDataSource =>
  typeof wanted === 'object' ? (wanted[name] ?? 'memory') : (wanted ?? 'memory')

/** What a test does about the connectors of an application. */
export interface Choice {
  /** Gives each data source what the test wants for it. */
  readonly choose: ChooseConnector
  /**
   * @throws {TestDataSourceUnknown} the test names a data source that the application does not have
   * @throws {TestAppInvalid} a data source has another connector than the one that was chosen for it
   */
  readonly check: (registry: ModelRegistry) => void
}

function refuseUnknown(wanted: Wanted, { dataSources }: ModelRegistry): void {
  const names = typeof wanted === 'object' ? Object.keys(wanted) : []
  const unknown = names.find((name) => !dataSources.has(name))
  if (unknown === undefined) return
  const known = [...dataSources.keys()].join(', ')
  throw new TestDataSourceUnknown(`the application has no data source "${unknown}", but ${known}`)
}

/** Chooses the connectors of an application under test. Roles are stored in memory alone. */
export function chooseConnectors({ dataSources: wanted, roles = [] }: TestServerOptions): Choice {
  const chosen = new Set<Connector>()
  const connectorOf: ChooseConnector = (name, own) => {
    const choice = wantedFor(wanted, name)
    if (choice === 'own') return own
    return choice === 'memory' ? storeRoles(inMemoryLike(own), roles) : choice
  }
  return {
    choose(name, own) {
      const connector = connectorOf(name, own)
      chosen.add(connector)
      return connector
    },
    check(registry) {
      refuseUnknown(wanted, registry)
      // A test must never write to a database unseen.
      const missed = [...registry.dataSources.values()].find(({ connector }) => !chosen.has(connector))
      if (missed === undefined) return
      throw new TestAppInvalid(
        `the data source "${missed.name}" is not of this test: build the server within the function, and have one copy of @modelwire/core`
      )
    }
  }
}
