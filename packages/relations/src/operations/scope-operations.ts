import {
  describeOperation,
  filterArgument,
  namedReturn,
  type Operation,
  optionsArgument,
  recordReturn,
  rootReturn,
  whereArgument
} from '@modelwire/core'
import type { NamedScope } from '../scopes/named-scope.ts'
import { countInScope, createInScope, destroyInScope, findInScope, findRowsInScope } from '../scopes/scope-methods.ts'
import { bodyArgument } from './arguments.ts'

type MakeScopeOperation = (scope: NamedScope) => Operation

const get: MakeScopeOperation = (scope) =>
  describeOperation(scope.model, {
    name: `__get__${scope.name}`,
    accepts: [filterArgument, optionsArgument],
    returns: recordReturn(scope.model, true),
    endpoints: [['GET', `/${scope.path}`]],
    accessType: 'READ',
    description: `Find ${scope.name}`,
    invoke: ({ args, options, wantsInstances }) =>
      (wantsInstances ? findInScope : findRowsInScope)(scope, args['filter'], options)
  })

const create: MakeScopeOperation = (scope) =>
  describeOperation(scope.model, {
    name: `__create__${scope.name}`,
    accepts: [bodyArgument(scope.model, true), optionsArgument],
    returns: recordReturn(scope.model),
    endpoints: [['POST', `/${scope.path}`]],
    accessType: 'WRITE',
    description: `Create a record in ${scope.name}`,
    invoke: ({ args, options }) => createInScope(scope, args['data'], options)
  })

const destroy: MakeScopeOperation = (scope) => ({
  ...describeOperation(scope.model, {
    name: `__delete__${scope.name}`,
    accepts: [optionsArgument],
    returns: rootReturn('count'),
    endpoints: [['DELETE', `/${scope.path}`]],
    accessType: 'WRITE',
    description: `Delete all ${scope.name}`,
    invoke: ({ options }) => destroyInScope(scope, undefined, options)
  }),
  returns: []
})

const count: MakeScopeOperation = (scope) =>
  describeOperation(scope.model, {
    name: `__count__${scope.name}`,
    accepts: [whereArgument, optionsArgument],
    returns: namedReturn('count', 'number'),
    endpoints: [['GET', `/${scope.path}/count`]],
    accessType: 'READ',
    description: `Count ${scope.name}`,
    invoke: ({ args, options }) => countInScope(scope, args['where'], options)
  })

/** The operations of one named scope. @see tables/scope.json of the conformance data */
export function scopeOperations(scope: NamedScope): Operation[] {
  return Object.entries({ get, create, delete: destroy, count }).map(([method, make]) => ({
    ...make(scope),
    relatedBy: { method, name: scope.name, model: scope.model.name, type: 'scope' }
  }))
}
