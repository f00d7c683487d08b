import type { Model } from '@modelwire/core'
import {
  dataArgument,
  describePredefined,
  callData,
  idArgument,
  type MakeOperation,
  optionsArgument,
  recordReturn,
  repository,
  rootReturn,
  whereArgument
} from '@modelwire/core/plugin'
import * as words from './loopback-words.ts'
import { replacesOnPut } from './replaces-on-put.ts'
import { loadById } from './load-by-id.ts'

const updateAll: MakeOperation = (model) =>
  describePredefined(model, 'updateAll', {
    accepts: [whereArgument, dataArgument(model), optionsArgument],
    returns: rootReturn('info'),
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
    accepts: [whereArgument, optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', '/']],
    description: 'Delete the records that match',
    needs: ['delete'],
    loopbackText: { summary: 'Delete all matching records.', arguments: { where: words.filterWhere } },
    invoke: (context) => repository.destroyAll(model, context.args['where'], context)
  })

const deleteById: MakeOperation = (model) =>
  describePredefined(model, 'deleteById', {
    accepts: [idArgument, optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', '/:id']],
    description: 'Delete a record',
    needs: ['delete'],
    loopbackText: { summary: 'Delete a model instance by {{id}} from the data source.', arguments: { id: words.id } },
    invoke: (context) => repository.destroyById(model, context.args['id'], context)
  })

const patchAttributes: MakeOperation = (model) =>
  describePredefined(model, 'prototype.patchAttributes', {
    accepts: [dataArgument(model), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['PATCH', '/:id'], ...(replacesOnPut(model) ? [] : [['PUT', '/:id'] as const])],
    description: 'Update a record in part',
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
