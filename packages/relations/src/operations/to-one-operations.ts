import {
  describeOperation,
  givenData,
  type OperationContext,
  optionsArgument,
  recordReturn,
  rootReturn
} from '@modelwire/core'
import type { ExposedMethod, ToOneMethods } from '../relation-kind.ts'
import type { Relation } from '../relation.ts'
import { bodyArgument, refreshArgument } from './arguments.ts'
import { type MakeRelationOperation, methodName, relatedOf, returnedModel } from './run-related.ts'

function methodsOf({ kind, name, from }: Relation): ToOneMethods {
  if (!kind.many) return kind.methods
  throw new TypeError(`${from.name}.${name} leads to many records`)
}

/** LB3: a missing record is a 404 except for belongsTo, and an embedded one that never was is no content. */
function isMissing({ kind }: Relation): ((context: OperationContext) => boolean) | undefined {
  return kind.exposes.length === 1 ? undefined : ({ result }) => result === null
}

const get: MakeRelationOperation = (relation) => {
  const missing = isMissing(relation)
  return describeOperation(relation.from, {
    name: methodName('get', relation),
    accepts: [refreshArgument, optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['GET', `/:id/${relation.settings.path}`]],
    accessType: 'READ',
    description: `Read ${relation.name}`,
    ...(missing === undefined ? {} : { foundNothing: missing }),
    invoke: async (context) => {
      const found = await methodsOf(relation).get(relatedOf(relation, context))
      if (found === undefined && relation.kind.embeds === true) context.status = 204
      return found
    }
  })
}

const create: MakeRelationOperation = (relation) =>
  describeOperation(relation.from, {
    name: methodName('create', relation),
    accepts: [bodyArgument(returnedModel(relation)), optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['POST', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Create ${relation.name}`,
    invoke: (context) => methodsOf(relation).create?.(relatedOf(relation, context), context.args['data'])
  })

const update: MakeRelationOperation = (relation) =>
  describeOperation(relation.from, {
    name: methodName('update', relation),
    accepts: [bodyArgument(returnedModel(relation)), optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Update ${relation.name} in part`,
    invoke: (context) => methodsOf(relation).update?.(relatedOf(relation, context), givenData(context))
  })

const destroy: MakeRelationOperation = (relation) => ({
  ...describeOperation(relation.from, {
    name: methodName('destroy', relation),
    accepts: [optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Delete ${relation.name}`,
    invoke: (context) => methodsOf(relation).destroy?.(relatedOf(relation, context))
  }),
  returns: []
})

/** The operations of relations to one record, by their name. */
export const toOneOperations: Readonly<Partial<Record<ExposedMethod, MakeRelationOperation>>> = {
  get,
  create,
  update,
  destroy
}
