import type { Collection } from '../contract/connector.ts'

/** What `connector.capabilities.operations` of a full database holds. */
export const allOperations: ReadonlySet<keyof Collection> = new Set([
  'find',
  'findById',
  'count',
  'insert',
  'update',
  'upsert',
  'replace',
  'delete'
])
