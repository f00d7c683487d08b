import {
  dataArgument,
  describeOperation,
  givenData,
  idArgument,
  type MakeOperation,
  type Model,
  optionsArgument,
  recordReturn,
  repository,
  rootReturn,
  whereArgument
} from '@modelwire/core'
import { replacesOnPut } from './replaces-on-put.ts'
import { loadById } from './load-by-id.ts'

const updateAll: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'updateAll',
    aliases: ['update'],
    accepts: [whereArgument, dataArgument(model), optionsArgument],
    returns: rootReturn('info'),
    endpoints: [['POST', '/update']],
    accessType: 'WRITE',
    description: 'Update the records that match',
    invoke: ({ args, options }) => repository.updateAll(model, args['where'] ?? {}, args['data'] ?? {}, options)
  })

const deleteById: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'deleteById',
    aliases: ['destroyById', 'removeById'],
    accepts: [idArgument, optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', '/:id']],
    accessType: 'WRITE',
    description: 'Delete a record',
    invoke: ({ args, options }) => repository.destroyById(model, args['id'], options)
  })

const patchAttributes: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'prototype.patchAttributes',
    aliases: ['updateAttributes'],
    accepts: [dataArgument(model), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['PATCH', '/:id'], ...(replacesOnPut(model) ? [] : [['PUT', '/:id'] as const])],
    accessType: 'WRITE',
    description: 'Update a record in part',
    loadInstance: loadById(model),
    invokeById: (context) => repository.patchForAnswer(model, context.id, givenData(context), context.options),
    // `loadInstance` put a record of this model there.
    invoke: (context) => repository.patchInstance(model, context.instance as Model, givenData(context), context.options)
  })

/** The operations that change or remove records in place. */
export const changeOperations: readonly MakeOperation[] = [updateAll, deleteById, patchAttributes]
