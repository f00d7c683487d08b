import { optionsArgument, recordReturn, type ReturnValue, rootReturn } from '@modelwire/core/plugin'
import type { ExposedMethod } from '../relation-kind.ts'
import { bodyArgument, fkArgument } from './arguments.ts'
import { describeRelated } from './describe-related.ts'
import { type MakeRelationOperation, relatedOf, returnedModel } from './run-related.ts'
import { methodsOf } from './to-many-operations.ts'

const link: MakeRelationOperation = (relation) => {
  const { through } = relation
  // LB3: only a record between can hold data of its own.
  const data = through === undefined ? [] : [bodyArgument(through.model)]
  return describeRelated(relation, 'link', {
    accepts: [fkArgument, ...data, optionsArgument],
    returns: recordReturn(through?.model ?? returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}/rel/:fk`]],
    accessType: 'WRITE',
    description: `Add a record to ${relation.name} by its id`,
    invoke: (context) =>
      methodsOf(relation).add?.(relatedOf(relation, context), context.args['fk'], context.args['data'])
  })
}

const unlink: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'unlink', {
    accepts: [fkArgument, optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}/rel/:fk`]],
    accessType: 'WRITE',
    description: `Remove a record from ${relation.name}; it is not deleted`,
    invoke: (context) => methodsOf(relation).remove?.(relatedOf(relation, context), context.args['fk'])
  }),
  returns: []
})

const existsReturn: ReturnValue = { name: 'exists', root: true, type: { kind: 'boolean' } }

const exists: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'exists', {
    accepts: [fkArgument, optionsArgument],
    returns: existsReturn,
    endpoints: [['HEAD', `/:id/${relation.settings.path}/rel/:fk`]],
    accessType: 'READ',
    description: `Check whether a record is in ${relation.name}`,
    foundNothing: ({ result }) => result === false,
    invoke: (context) => methodsOf(relation).exists(relatedOf(relation, context), context.args['fk'])
  })

/** The operations that join existing records, by their name. */
export const linkOperations: Readonly<Partial<Record<ExposedMethod, MakeRelationOperation>>> = { link, unlink, exists }
