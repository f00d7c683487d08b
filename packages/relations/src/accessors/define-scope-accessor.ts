import type { Model } from '@modelwire/core'
import { type Call, callOf, InvalidRelation, isPlainObject, type Records, TrustedWhere } from '@modelwire/core/plugin'
import type { NamedScope } from '../scopes/named-scope.ts'
import {
  buildInScope,
  countInScope,
  createInScope,
  destroyInScope,
  findInScope,
  updateInScope
} from '../scopes/scope-methods.ts'
import { type AsyncMethod, type AccessorStyle, styled } from './accessor-style.ts'

const callWith = (options: unknown): Call => callOf(isPlainObject(options) ? options : undefined)
const listOf = (records: Records): Model[] => [...records.instances()]
const objectOf = (value: unknown): Record<string, unknown> => (isPlainObject(value) ? value : {})

function scopeMethods(scope: NamedScope): Record<string, AsyncMethod> {
  const find: AsyncMethod = async (filter, options) =>
    listOf(await findInScope(scope, isPlainObject(filter) ? filter : undefined, callWith(options)))
  const findOne: AsyncMethod = async (filter, options) =>
    (await findInScope(scope, { ...objectOf(filter), limit: 1 }, callWith(options))).first() ?? null
  return {
    find,
    findOne,
    findById: async (id, options) =>
      findOne({ where: new TrustedWhere({ [scope.model.idProperty?.name ?? 'id']: { inq: [id] } }) }, options),
    count: async (where, options) => countInScope(scope, where, callWith(options)),
    create: async (data, options) => createInScope(scope, data, callWith(options)),
    destroyAll: async (where, options) => destroyInScope(scope, where, callWith(options)),
    updateAll: async (where, data, options) =>
      isPlainObject(data)
        ? updateInScope(scope, where, data, callWith(options))
        : updateInScope(scope, undefined, objectOf(where), callWith(data))
  }
}

/**
 * Gives a model's class the helper of a named scope: `Post.published(filter)`, `Post.published.count()`.
 * @throws {InvalidRelation} the scope is called like a method of every model
 */
export function defineScopeAccessor(scope: NamedScope, style: AccessorStyle): void {
  if (scope.name in scope.model.registry.rootClass)
    throw new InvalidRelation(`a scope must not be called like the method ${scope.name} of every model`, {
      model: scope.model.name,
      key: `scopes.${scope.name}`
    })
  const methods = Object.entries(scopeMethods(scope)).map(([name, method]) => [name, styled(method, style)] as const)
  const all = Object.fromEntries(methods)
  const helper = (...args: unknown[]): unknown => all['find']?.(...args)
  const value = Object.assign(helper, all, { build: (data?: unknown) => buildInScope(scope, data) })
  Object.defineProperty(scope.model.modelClass, scope.name, { configurable: true, value })
}
