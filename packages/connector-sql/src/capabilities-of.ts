import { allOperations, type ConnectorCapabilities } from '@modelwire/core/connector'
import type { Database } from './dialect.ts'

/** What a database can do. */
export function capabilitiesOf(
  { dialect: { returning }, replicas }: Pick<Database, 'dialect' | 'replicas'>,
  relates: NonNullable<ConnectorCapabilities['relates']>
): ConnectorCapabilities {
  return {
    operations: new Set([...allOperations, 'findRelated', 'aggregate', ...(returning ? (['patch'] as const) : [])]),
    generatedIdType: 'number',
    storesUndeclared: true,
    transactions: true,
    locks: true,
    ...(replicas && { replicas: { readAfterWrite: replicas.readAfterWrite } }),
    relates
  }
}
