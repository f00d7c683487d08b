import { describeOperation, type Operation, callArguments, callReturns } from '@modelwire/core/plugin'
import type { NamedScope } from '../scopes/named-scope.ts'
import { countInScope, createInScope, destroyInScope, listScope } from '../scopes/scope-methods.ts'
import { bodyArgument } from './relation-operations.ts'

type MakeScopeOperation = (scope: NamedScope) => Operation

const get: MakeScopeOperation = (scope) =>
  describeOperation(scope.model, {
    name: `__get__${scope.name}`,
    accepts: [callArguments.filter, callArguments.options],
    returns: callReturns.record(scope.model, true),
    endpoints: [['GET', `/${scope.path}`]],
    accessType: 'READ',
    description: `Find ${scope.name}`,
    effect: { verb: 'find', subject: 'set', condition: 'filter' },
    loopbackText: { summary: `Queries ${scope.name} of ${scope.model.name}.` },
    invoke: (context) => listScope(scope, context.args['filter'], context)
  })

const create: MakeScopeOperation = (scope) =>
  describeOperation(scope.model, {
    name: `__create__${scope.name}`,
    accepts: [bodyArgument(scope.model, true), callArguments.options],
    returns: callReturns.record(scope.model),
    endpoints: [['POST', `/${scope.path}`]],
    accessType: 'WRITE',
    description: `Create a record in ${scope.name}`,
    effect: { verb: 'create', subject: 'record' },
    loopbackText: { summary: `Creates a new instance in ${scope.name} of this model.` },
    invoke: (context) => createInScope(scope, context.args['data'], context)
  })

const destroy: MakeScopeOperation = (scope) => ({
  ...describeOperation(scope.model, {
    name: `__delete__${scope.name}`,
    accepts: [callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', `/${scope.path}`]],
    accessType: 'WRITE',
    description: `Delete all ${scope.name}`,
    effect: { verb: 'delete', subject: 'set' },
    loopbackText: { summary: `Deletes all ${scope.name} of this model.` },
    invoke: (context) => destroyInScope(scope, undefined, context)
  }),
  returns: []
})

const count: MakeScopeOperation = (scope) =>
  describeOperation(scope.model, {
    name: `__count__${scope.name}`,
    accepts: [callArguments.where, callArguments.options],
    returns: callReturns.named('count', 'number'),
    endpoints: [['GET', `/${scope.path}/count`]],
    accessType: 'READ',
    description: `Count ${scope.name}`,
    effect: { verb: 'count', subject: 'set', condition: 'where' },
    loopbackText: {
      summary: `Counts ${scope.name} of ${scope.model.name}.`,
      arguments: { where: 'Criteria to match model instances' }
    },
    invoke: (context) => countInScope(scope, context.args['where'], context)
  })

/** The operations of one named scope. @see tables/scope.json of the conformance data */
export function scopeOperations(scope: NamedScope): Operation[] {
  return [get, create, destroy, count].map((make) => make(scope))
}
