import type { Model, OperationContext } from '@modelwire/core'
import { callData, repository, argument, openChangeStream, callArguments, callReturns } from '@modelwire/core/plugin'
import { describePredefined, idArgument, type MakeOperation } from './describe-predefined.ts'
import * as words from './loopback-words.ts'
import { replacesOnPut, loadById } from './loopback-words.ts'
import { HttpContext } from '../http-context.ts'

/**
 * Opens a stream of a model's changes.
 * @see recordings streams/*; the header Last-Event-ID is that of HTML, section 9.2 (server-sent events)
 */
const createChangeStream: MakeOperation = (model) =>
  describePredefined(model, 'createChangeStream', {
    accepts: [
      argument(
        'options',
        'any',
        { kind: 'object' },
        { description: 'where: which records; fields: which properties of them' }
      )
    ],
    returns: { name: 'changes', root: false, type: { kind: 'stream' } },
    endpoints: [
      ['POST', '/change-stream'],
      ['GET', '/change-stream']
    ],
    description: 'Follow the changes of records',
    needs: ['find'],
    loopbackText: { summary: 'Create a change stream.', answer: { type: 'file' } },
    invoke: async (context) => openChangeStream(model, context.args['options'], context, lastEventId(context))
  })

/** The operations that stream changes. */
export const changeStreamOperations: readonly MakeOperation[] = [createChangeStream]

const updateAll: MakeOperation = (model) =>
  describePredefined(model, 'updateAll', {
    accepts: [callArguments.where, callArguments.data(model), callArguments.options],
    returns: callReturns.root('info'),
    endpoints: [['POST', '/update']],
    description: 'Update the records that match',
    needs: ['update'],
    loopbackText: {
      summary: 'Update instances of the model matched by {{where}} from the data source.',
      arguments: { where: words.where, data: words.pairs },
      answer: words.updated
    },
    invoke: (context) => repository.updateAll(model, context.args['where'] ?? {}, context.args['data'] ?? {}, context)
  })

const destroyAll: MakeOperation = (model) =>
  describePredefined(model, 'destroyAll', {
    accepts: [callArguments.where, callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', '/']],
    description: 'Delete the records that match',
    needs: ['delete'],
    loopbackText: { summary: 'Delete all matching records.', arguments: { where: words.filterWhere } },
    invoke: (context) => repository.destroyAll(model, context.args['where'], context)
  })

const deleteById: MakeOperation = (model) =>
  describePredefined(model, 'deleteById', {
    accepts: [idArgument, callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', '/:id']],
    description: 'Delete a record',
    needs: ['delete'],
    loopbackText: { summary: 'Delete a model instance by {{id}} from the data source.', arguments: { id: words.id } },
    invoke: (context) => repository.destroyById(model, context.args['id'], context)
  })

const patchAttributes: MakeOperation = (model) =>
  describePredefined(model, 'prototype.patchAttributes', {
    accepts: [callArguments.data(model), callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['PATCH', '/:id'], ...(replacesOnPut(model) ? [] : [['PUT', '/:id'] as const])],
    description: 'Partially update a record',
    needs: ['find', 'update'],
    loopbackText: {
      summary: 'Patch attributes for a model instance and persist it into the data source.',
      arguments: { data: words.pairs }
    },
    loadInstance: loadById(model),
    invokeById: (context) => repository.patchForResponse(model, context.id, callData(context), context),
    // `loadInstance` put a record of this model there.
    invoke: (context) => repository.patchInstance(model, context.instance as Model, callData(context), context)
  })

/** The operations that change or remove records in place. */
export const changeOperations: readonly MakeOperation[] = [destroyAll, updateAll, deleteById, patchAttributes]

/** Where a client that lost its connection was: the id of the last event that it saw. */
function lastEventId(context: OperationContext): string | undefined {
  if (!(context instanceof HttpContext)) return undefined
  const id = context.req.headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}
