import { callData, repository, callArguments, callReturns } from '@modelwire/core/plugin'
import { describePredefined, idArgument, type MakeOperation } from './describe-predefined.ts'
import * as words from './loopback-words.ts'
import { replacesOnPut } from './loopback-words.ts'

const create: MakeOperation = (model) =>
  describePredefined(model, 'create', {
    accepts: [callArguments.data(model, true), callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['POST', '/']],
    description: 'Create one or more records',
    needs: ['insert'],
    loopbackText: {
      summary: 'Create a new instance of the model and persist it into the data source.',
      arguments: { data: words.data }
    },
    invoke: (context) => {
      const { data } = context.args
      if (Array.isArray(data)) return repository.createAll(model, data, context)
      const createOne = context.wantsInstances ? repository.create : repository.createForResponse
      return createOne(model, data, context)
    }
  })

const patchOrCreate: MakeOperation = (model) =>
  describePredefined(model, 'patchOrCreate', {
    accepts: [callArguments.data(model, model.registry.rules.upsertsLists), callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['PATCH', '/'], ...(replacesOnPut(model) ? [] : [['PUT', '/'] as const])],
    description: 'Partially update a record, or create it',
    needs: ['upsert'],
    loopbackText: {
      summary: 'Patch an existing model instance or insert a new one into the data source.',
      arguments: { data: words.data }
    },
    invoke: (context) => repository.patchOrCreate(model, context.args['data'], context)
  })

const replaceOrCreate: MakeOperation = (model) =>
  describePredefined(model, 'replaceOrCreate', {
    accepts: [callArguments.data(model), callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['POST', '/replaceOrCreate'], ...(replacesOnPut(model) ? [['PUT', '/'] as const] : [])],
    description: 'Replace a record, or create it',
    needs: ['replace', 'insert'],
    loopbackText: { summary: words.replaceOrInsert, arguments: { data: words.data } },
    invoke: (context) => repository.replaceOrCreate(model, context.args['data'], context)
  })

const upsertWithWhere: MakeOperation = (model) =>
  describePredefined(model, 'upsertWithWhere', {
    accepts: [callArguments.where, callArguments.data(model), callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['POST', '/upsertWithWhere']],
    description: 'Update the one record that matches, or create it',
    needs: ['find', 'insert', 'update'],
    loopbackText: {
      summary:
        'Update an existing model instance or insert a new one into the data source based on the where criteria.',
      arguments: { where: words.where, data: words.pairs }
    },
    invoke: (context) => repository.upsertWithWhere(model, context.args['where'], context.args['data'], context)
  })

const replaceById: MakeOperation = (model) =>
  describePredefined(model, 'replaceById', {
    accepts: [idArgument, callArguments.data(model), callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['POST', '/:id/replace'], ...(replacesOnPut(model) ? [['PUT', '/:id'] as const] : [])],
    description: 'Replace a record',
    needs: ['replace'],
    loopbackText: {
      summary: 'Replace attributes for a model instance and persist it into the data source.',
      arguments: { id: words.id, data: words.data }
    },
    invoke: (context) => repository.replaceById(model, context.args['id'], callData(context), context)
  })

/** The operations that write whole records. */
export const writeOperations: readonly MakeOperation[] = [
  create,
  patchOrCreate,
  replaceOrCreate,
  upsertWithWhere,
  replaceById
]
