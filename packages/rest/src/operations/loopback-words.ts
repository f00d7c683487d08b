import { asServer, repository } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Model, OperationContext } from '@modelwire/core'

// Words of LoopBack's own document, as recorded in explorer/swagger: clients that were generated from it show them.

/** For a record in a body. */
export const data = 'Model instance data'
/** For parts of a record in a body. */
export const pairs = 'An object of model property name/value pairs'
/** For a condition. */
export const where = 'Criteria to match model instances'
/** For the condition of a deletion. */
export const filterWhere = 'filter.where object'
/** For an id in a path. */
export const id = 'Model id'
/** For a filter of a list. */
export const filter =
  'Filter defining fields, where, include, order, offset, and limit - must be a JSON-encoded string ' +
  '(`{"where":{"something":"value"}}`).  See https://loopback.io/doc/en/lb3/Querying-data.html' +
  '#using-stringified-json-in-rest-queries for more details.'
/** For a replacement record. */
export const replaceOrInsert = 'Replace an existing model instance or insert a new one into the data source.'
/** The response of an update of many. */
export const updated = {
  description: 'Information related to the outcome of the operation',
  type: 'object',
  properties: { count: { description: 'The number of instances updated', type: 'number', format: 'double' } }
}

/** Whether PUT replaces or patches, depending on the model or the version. */
export function replacesOnPut(model: ModelType): boolean {
  return model.definition.replaceOnPUT ?? !model.registry.rules.patchesOnPUT
}

/**
 * Makes the function that loads the record addressed by an operation's path. It is loaded regardless of the caller: guards
 * check it before anything is shown or changed.
 */
export function loadById(model: ModelType): (context: OperationContext) => Promise<Model | undefined> {
  return async (context) => (await repository.findById(model, context.id, undefined, asServer(context))) ?? undefined
}
