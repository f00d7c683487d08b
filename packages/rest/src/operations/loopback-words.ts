// Words of LoopBack's own document, as recorded in explorer/swagger: clients that were generated from it show them.

/** Of a record in a body. */
export const data = 'Model instance data'
/** Of parts of a record in a body. */
export const pairs = 'An object of model property name/value pairs'
/** Of a condition. */
export const where = 'Criteria to match model instances'
/** Of the condition of a deletion. */
export const filterWhere = 'filter.where object'
/** Of an id in a path. */
export const id = 'Model id'
/** Of a filter of a list. */
export const filter =
  'Filter defining fields, where, include, order, offset, and limit - must be a JSON-encoded string ' +
  '(`{"where":{"something":"value"}}`).  See https://loopback.io/doc/en/lb3/Querying-data.html' +
  '#using-stringified-json-in-rest-queries for more details.'
/** Of what replaces a record. */
export const replaceOrInsert = 'Replace an existing model instance or insert a new one into the data source.'
/** The answer of an update of many. */
export const updated = {
  description: 'Information related to the outcome of the operation',
  type: 'object',
  properties: { count: { description: 'The number of instances updated', type: 'number', format: 'double' } }
}
