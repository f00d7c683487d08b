import { allOperations, type ConnectorCapabilities } from '@modelwire/core/connector'
import type { SqlDialect } from './dialect.ts'

/** What a database of this dialect can do. */
export function capabilitiesOf(
  { json, returning }: SqlDialect,
  relates: NonNullable<ConnectorCapabilities['relates']>
): ConnectorCapabilities {
  return {
    operations: new Set([
      ...allOperations,
      'findRelated',
      'aggregate',
      ...(returning ? (['patch'] as const) : []),
      ...(json === undefined ? [] : (['findJson'] as const))
    ]),
    generatedIdType: 'number',
    storesUndeclared: true,
    transactions: true,
    locks: true,
    relates
  }
}
