import type { OperationContext } from '@modelwire/core'
import { callData, optionsArgument, recordReturn, type ResolvedRelation, rootReturn } from '@modelwire/core/plugin'
import type { ExposedMethod, ToOneMethods } from '../relation-kind.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { bodyArgument, refreshArgument } from './arguments.ts'
import { describeRelated } from './describe-related.ts'
import { type MakeRelationOperation, relatedOf, returnedModel } from './run-related.ts'

function methodsOf(relation: ResolvedRelation): ToOneMethods {
  const kind = behaviourOf(relation)
  if (!kind.many) return kind.methods
  throw new TypeError(`${relation.from.name}.${relation.name} leads to many records`)
}

/** LB3: a missing record is a 404 except for belongsTo, and an embedded one that never existed is a 204. */
function isMissing({ holdsKey }: ResolvedRelation): ((context: OperationContext) => boolean) | undefined {
  return holdsKey === 'one' ? undefined : ({ result }) => result === null
}

const get: MakeRelationOperation = (relation) => {
  const missing = isMissing(relation)
  return describeRelated(relation, 'get', {
    accepts: [refreshArgument, optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['GET', `/:id/${relation.settings.path}`]],
    accessType: 'READ',
    description: `Read ${relation.name}`,
    ...(missing === undefined ? {} : { foundNothing: missing }),
    invoke: async (context) => {
      const found = await methodsOf(relation).get(relatedOf(relation, context))
      // LB3: a reference that leads nowhere is an empty object, an embedded record that never existed is a 204.
      return found === undefined && !relation.embeds ? {} : found
    }
  })
}

const create: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'create', {
    accepts: [bodyArgument(returnedModel(relation)), optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['POST', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Create ${relation.name}`,
    invoke: (context) => methodsOf(relation).create?.(relatedOf(relation, context), context.args['data'])
  })

const update: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'update', {
    accepts: [bodyArgument(returnedModel(relation)), optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Update ${relation.name} in part`,
    invoke: (context) => methodsOf(relation).update?.(relatedOf(relation, context), callData(context))
  })

const destroy: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'destroy', {
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
