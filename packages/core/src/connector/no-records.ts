import { NotImplemented } from '../errors.ts'
import type { Collection, ConnectorCapabilities } from '../contract/connector.ts'

/** What a connector can do that holds no records: models that are attached to it have no data access, only its methods. */
export const noDataAccess: ConnectorCapabilities = {
  operations: new Set(),
  generatedIdType: 'number',
  storesUndeclared: true,
  transactions: false
}

function refuse(): never {
  throw new NotImplemented('this data source has no records')
}

/** The collection of a connector with `noDataAccess`: every call is refused with `NOT_IMPLEMENTED`. */
export const noRecords: Collection = {
  find: refuse,
  findById: refuse,
  count: refuse,
  insert: refuse,
  update: refuse,
  upsert: refuse,
  replace: refuse,
  delete: refuse
}
