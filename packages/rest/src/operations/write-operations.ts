import { InvalidArgument, type Model, type ModelType, type Operation, type OperationContext, repository } from '@modelwire/core'
import { dataArgument, describeOperation, idArgument, optionsArgument, recordReturn, rootReturn, whereArgument } from './describe-operation.ts'

/** The data of a call on one record. LB3: JSON null is no data there, pinned by FACTS "Create, update, delete". */
function givenData({ args }: OperationContext): unknown {
  if (args['data'] === null) throw new InvalidArgument('the body must be an object, not null')
  return args['data']
}

/** PUT replaces or patches, as the model or the version says. */
export function replacesOnPut(model: ModelType): boolean {
  return model.definition.replaceOnPUT ?? model.registry.version.replaceOnPUT
}

/** The operations that write whole records. */
export function writeOperations(model: ModelType): Operation[] {
  const replaces = replacesOnPut(model)
  return [
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
    }),
    describeOperation(model, {
      name: 'patchOrCreate',
      aliases: ['upsert', 'updateOrCreate'],
      accepts: [dataArgument(model, model.registry.version.upsertsLists), optionsArgument],
      returns: recordReturn(model),
      endpoints: replaces
        ? [['PATCH', '/']]
        : [
            ['PATCH', '/'],
            ['PUT', '/']
          ],
      accessType: 'WRITE',
      description: 'Update a record in part, or create it',
      invoke: ({ args, options }) => repository.patchOrCreate(model, args['data'], options)
    }),
    describeOperation(model, {
      name: 'replaceOrCreate',
      accepts: [dataArgument(model), optionsArgument],
      returns: recordReturn(model),
      endpoints: replaces
        ? [
            ['POST', '/replaceOrCreate'],
            ['PUT', '/']
          ]
        : [['POST', '/replaceOrCreate']],
      accessType: 'WRITE',
      description: 'Replace a record, or create it',
      invoke: ({ args, options }) => repository.replaceOrCreate(model, args['data'], options)
    }),
    describeOperation(model, {
      name: 'upsertWithWhere',
      aliases: ['patchOrCreateWithWhere'],
      accepts: [whereArgument, dataArgument(model), optionsArgument],
      returns: recordReturn(model),
      endpoints: [['POST', '/upsertWithWhere']],
      accessType: 'WRITE',
      description: 'Update the one record that matches, or create it',
      invoke: ({ args, options }) => repository.upsertWithWhere(model, args['where'], args['data'], options)
    }),
    describeOperation(model, {
      name: 'replaceById',
      accepts: [idArgument, dataArgument(model), optionsArgument],
      returns: recordReturn(model),
      endpoints: replaces
        ? [
            ['POST', '/:id/replace'],
            ['PUT', '/:id']
          ]
        : [['POST', '/:id/replace']],
      accessType: 'WRITE',
      description: 'Replace a record',
      invoke: (context) => repository.replaceById(model, context.args['id'], givenData(context), context.options)
    })
  ]
}

/** Loads the record that the path of an operation names. */
export const loadById =
  (model: ModelType) =>
  async ({ id, options }: OperationContext): Promise<Model | undefined> =>
    (await repository.findById(model, id, undefined, options)) ?? undefined

/** The operations that change or remove records in place. */
export function changeOperations(model: ModelType): Operation[] {
  return [
    describeOperation(model, {
      name: 'updateAll',
      aliases: ['update'],
      accepts: [whereArgument, dataArgument(model), optionsArgument],
      returns: rootReturn('info'),
      endpoints: [['POST', '/update']],
      accessType: 'WRITE',
      description: 'Update the records that match',
      invoke: ({ args, options }) => repository.updateAll(model, args['where'] ?? {}, args['data'] ?? {}, options)
    }),
    describeOperation(model, {
      name: 'deleteById',
      aliases: ['destroyById', 'removeById'],
      accepts: [idArgument, optionsArgument],
      returns: rootReturn('count'),
      endpoints: [['DELETE', '/:id']],
      accessType: 'WRITE',
      description: 'Delete a record',
      invoke: ({ args, options }) => repository.destroyById(model, args['id'], options)
    }),
    describeOperation(model, {
      name: 'prototype.patchAttributes',
      aliases: ['updateAttributes'],
      accepts: [dataArgument(model), optionsArgument],
      returns: recordReturn(model),
      endpoints: replacesOnPut(model)
        ? [['PATCH', '/:id']]
        : [
            ['PATCH', '/:id'],
            ['PUT', '/:id']
          ],
      accessType: 'WRITE',
      description: 'Update a record in part',
      loadInstance: loadById(model),
      // `loadInstance` put a record of this model there.
      invoke: (context) => repository.patchInstance(model, context.instance as Model, givenData(context), context.options)
    })
  ]
}
