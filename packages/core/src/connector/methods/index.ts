export type { ConnectorMethod, ConnectorMethods, ModelFunction } from './connector-method.ts'
export { noDataAccess, noRecords } from './no-records.ts'
