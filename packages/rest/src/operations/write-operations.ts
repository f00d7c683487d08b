import {
  dataArgument,
  describeOperation,
  givenData,
  idArgument,
  type MakeOperation,
  optionsArgument,
  recordReturn,
  repository,
  whereArgument
} from '@modelwire/core'
import { replacesOnPut } from './replaces-on-put.ts'

const create: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'create',
    accepts: [dataArgument(model, true), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['POST', '/']],
    accessType: 'WRITE',
    description: 'Create a record, or several',
    invoke: ({ args: { data }, options, wantsInstances }) => {
      if (Array.isArray(data)) return repository.createAll(model, data, options)
      return wantsInstances ? repository.create(model, data, options) : repository.createForAnswer(model, data, options)
    }
  })

const patchOrCreate: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'patchOrCreate',
    aliases: ['upsert', 'updateOrCreate'],
    accepts: [dataArgument(model, model.registry.version.upsertsLists), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['PATCH', '/'], ...(replacesOnPut(model) ? [] : [['PUT', '/'] as const])],
    accessType: 'WRITE',
    description: 'Update a record in part, or create it',
    invoke: ({ args, options }) => repository.patchOrCreate(model, args['data'], options)
  })

const replaceOrCreate: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'replaceOrCreate',
    accepts: [dataArgument(model), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['POST', '/replaceOrCreate'], ...(replacesOnPut(model) ? [['PUT', '/'] as const] : [])],
    accessType: 'WRITE',
    description: 'Replace a record, or create it',
    invoke: ({ args, options }) => repository.replaceOrCreate(model, args['data'], options)
  })

const upsertWithWhere: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'upsertWithWhere',
    aliases: ['patchOrCreateWithWhere'],
    accepts: [whereArgument, dataArgument(model), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['POST', '/upsertWithWhere']],
    accessType: 'WRITE',
    description: 'Update the one record that matches, or create it',
    invoke: ({ args, options }) => repository.upsertWithWhere(model, args['where'], args['data'], options)
  })

const replaceById: MakeOperation = (model) =>
  describeOperation(model, {
    name: 'replaceById',
    accepts: [idArgument, dataArgument(model), optionsArgument],
    returns: recordReturn(model),
    endpoints: [['POST', '/:id/replace'], ...(replacesOnPut(model) ? [['PUT', '/:id'] as const] : [])],
    accessType: 'WRITE',
    description: 'Replace a record',
    invoke: (context) => repository.replaceById(model, context.args['id'], givenData(context), context.options)
  })

/** The operations that write whole records. */
export const writeOperations: readonly MakeOperation[] = [
  create,
  patchOrCreate,
  replaceOrCreate,
  upsertWithWhere,
  replaceById
]
