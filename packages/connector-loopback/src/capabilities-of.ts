import { allOperations, type ConnectorCapabilities, type ModelType } from '@modelwire/core/connector'
import { familyOf } from './family.ts'
import { type Driver, methodOf } from './juggler/driver.ts'
import { hasDataAccess } from './methods/driver-methods.ts'
import { isRemote } from './methods/remote-models.ts'

/** What a connector can do; undefined for one that its module has not made yet. */
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
