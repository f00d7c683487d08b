import {
  filterArgument,
  callData,
  namedReturn,
  optionsArgument,
  recordReturn,
  type ResolvedRelation,
  rootReturn,
  whereArgument
} from '@modelwire/core/plugin'
import type { ExposedMethod, ToManyMethods } from '../relation-kind.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { bodyArgument, fkArgument } from './arguments.ts'
import { describeRelated } from './describe-related.ts'
import { type MakeRelationOperation, relatedOf, returnedModel } from './run-related.ts'

/** What can be done with the related records. */
export function methodsOf(relation: ResolvedRelation): ToManyMethods {
  const kind = behaviourOf(relation)
  if (kind.many) return kind.methods
  throw new TypeError(`${relation.from.name}.${relation.name} leads to one record`)
}

const get: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'get', {
    accepts: [filterArgument, optionsArgument],
    returns: recordReturn(returnedModel(relation), true),
    endpoints: [['GET', `/:id/${relation.settings.path}`]],
    accessType: 'READ',
    description: `Find ${relation.name}`,
    invoke: (context) => methodsOf(relation).find(relatedOf(relation, context), context.args['filter'])
  })

const create: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'create', {
    accepts: [bodyArgument(returnedModel(relation), true), optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['POST', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Create a record in ${relation.name}, or several`,
    invoke: (context) => methodsOf(relation).create(relatedOf(relation, context), context.args['data'])
  })

const destroyAll: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'delete', {
    accepts: [optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Delete all ${relation.name}`,
    invoke: (context) => methodsOf(relation).destroyAll(relatedOf(relation, context), undefined)
  }),
  returns: []
})

const count: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'count', {
    accepts: [whereArgument, optionsArgument],
    returns: namedReturn('count', 'number'),
    endpoints: [['GET', `/:id/${relation.settings.path}/count`]],
    accessType: 'READ',
    description: `Count ${relation.name}`,
    invoke: (context) => methodsOf(relation).count(relatedOf(relation, context), context.args['where'])
  })

const findById: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'findById', {
    accepts: [fkArgument, optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['GET', `/:id/${relation.settings.path}/:fk`]],
    accessType: 'READ',
    description: `Find a record of ${relation.name} by its id`,
    invoke: (context) => methodsOf(relation).findById(relatedOf(relation, context), context.args['fk'])
  })

const updateById: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'updateById', {
    accepts: [fkArgument, bodyArgument(returnedModel(relation)), optionsArgument],
    returns: recordReturn(returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}/:fk`]],
    accessType: 'WRITE',
    description: `Update a record of ${relation.name} in part`,
    invoke: (context) =>
      methodsOf(relation).updateById(relatedOf(relation, context), context.args['fk'], callData(context))
  })

const destroyById: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'destroyById', {
    accepts: [fkArgument, optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}/:fk`]],
    accessType: 'WRITE',
    description: `Delete a record of ${relation.name}`,
    invoke: (context) => methodsOf(relation).destroyById(relatedOf(relation, context), context.args['fk'])
  }),
  returns: []
})

/** The operations of relations to several records, by their name. */
export const toManyOperations: Readonly<Partial<Record<ExposedMethod, MakeRelationOperation>>> = {
  findById,
  destroyById,
  updateById,
  get,
  create,
  delete: destroyAll,
  count
}
