import { allOperations, type ConnectorCapabilities, type ModelType, type Connector } from '@modelwire/core/connector'
import { familyOf } from './family.ts'
import { type Driver, methodOf } from './juggler/driver.ts'
import { hasDataAccess } from './methods/driver-methods.ts'
import { isRemote } from './methods/remote-models.ts'
import { DataSourceUnavailable } from '@modelwire/core'
import type { JugglerDataSource } from './juggler/data-source.ts'

/** The capabilities of a connector; undefined if its module has not created it yet. */
export function capabilitiesOf(
  driver: Driver | undefined,
  storedNames: (model: ModelType) => ReadonlySet<string>
): ConnectorCapabilities {
  const isRelational = driver !== undefined && familyOf(driver) === 'relational'
  const hasRecords = driver === undefined || isRemote(driver) || hasDataAccess(driver)
  return {
    operations: hasRecords ? allOperations : new Set(),
    generatedIdType: driver === undefined ? 'declared' : idTypeOf(driver),
    storesUndeclared: !isRelational,
    // LB3: `allowExtendedOperators` of the data source, the model or one call. What other databases read is unknown.
    readsOperators: !isRelational,
    readsLikeOptions: !isRelational,
    storedNames,
    findsOrCreates: methodOf(driver, 'findOrCreate') !== undefined,
    upsertsWithWhere: methodOf(driver, 'upsertWithWhere') !== undefined,
    transactions: methodOf(driver, 'beginTransaction') !== undefined,
    atomicity: isRelational ? 'database' : 'process'
  }
}

/**
 * LB3: a connector without a type of ids leaves ids as they are declared; loopback-datasource-juggler,
 * lib/datasource.js, setupDataAccess.
 */
function idTypeOf(driver: Driver): ConnectorCapabilities['generatedIdType'] {
  const getType = methodOf(driver, 'getDefaultIdType')
  if (getType === undefined) return 'declared'
  return getType.call(driver) === Number ? 'number' : 'string'
}

/** Reports the events `error`, `disconnected` and `connected` of a connector to `watcher`. */
export function watchEvents(
  dataSource: JugglerDataSource,
  watcher: Parameters<NonNullable<Connector['watch']>>[0]
): void {
  dataSource.on('error', (error: unknown) => {
    // While it connects, the waiting caller gets the error.
    if (dataSource.connected) watcher.error(error)
  })
  dataSource.on('disconnected', () => {
    if (!dataSource.connected) return
    // The next operation connects again.
    dataSource.connected = false
    watcher.error(new DataSourceUnavailable(`the data source ${dataSource.name} lost its connection to the database`))
    watcher.lost()
  })
  dataSource.on('connected', () => {
    watcher.restored()
  })
}
