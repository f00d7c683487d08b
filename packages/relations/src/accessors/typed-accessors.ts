import { Model, type ModelClass, type ModelFacts, type ToMany, type ToOne } from '@modelwire/core'
import {
  type Call,
  callOf,
  InvalidRelation,
  isOfModel,
  type Records,
  type ResolvedRelation,
  TrustedWhere,
  typeOf
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import {
  type AccessorMethod,
  type AccessorStyle,
  type AsyncMethod,
  styled,
  toManyAccessor,
  toOneAccessor
} from './relation-accessors.ts'
import type { NamedScope } from '../scopes/named-scope.ts'
import {
  buildInScope,
  countInScope,
  createInScope,
  destroyInScope,
  findInScope,
  updateInScope
} from '../scopes/scope-methods.ts'

const callWith = (options: unknown): Call => callOf(isPlainObject(options) ? options : undefined)

const listOf = (records: Records): Model[] => [...records.instances()]

const objectOf = (value: unknown): Record<string, unknown> => (isPlainObject(value) ? value : {})

/** The value of `this` in a relation's own methods, as in LoopBack. */
interface RelationSelf {
  readonly definition: ResolvedRelation
  readonly modelInstance: Model
}

/** The kind of an accessor, and the record that it leads to. */
type Led<Helper> =
  Helper extends ToMany<infer T, infer _F>
    ? { readonly many: T }
    : Helper extends ToOne<infer T, infer _F>
      ? { readonly one: T }
      : never
type Same<A, B> = string extends keyof A | keyof B ? true : [A, B] extends [B, A] ? true : false
type Helpers<R> = { [N in keyof R as [Led<R[N]>] extends [never] ? never : N]-?: Led<R[N]> }

/**
 * Names of the relations of a record `R` that lead to `T`, or several; any, if the type of the record does not know its
 * relations.
 */
type RelationTo<R, Kind extends 'one' | 'many', T> = string extends keyof R
  ? string
  : [keyof Helpers<R>] extends [never]
    ? string
    : keyof { [N in keyof Helpers<R> as LeadsTo<Helpers<R>[N], Kind, T> extends true ? N : never]: T } & string
type LeadsTo<L, Kind extends PropertyKey, T> = L extends Readonly<Record<Kind, infer U>> ? Same<U, T> : false

function accessorOf(
  record: object,
  name: string,
  { modelType, many }: { modelType: ModelClass['modelType']; many: boolean }
): unknown {
  const relation = record instanceof Model ? typeOf(record).relations.get(name) : undefined
  const helper: unknown = Reflect.get(record, name)
  if (relation === undefined || typeof helper !== 'function')
    throw new InvalidRelation(`the record has no relation "${name}"`, { key: name })
  if (relation.many !== many)
    throw new InvalidRelation(`the relation "${name}" leads to ${many ? 'one record' : 'several records'}`, {
      key: name
    })
  const { to = modelType } = relation
  if (!isOfModel(to, modelType.name) && !isOfModel(modelType, to.name))
    throw new InvalidRelation(`the relation "${name}" leads to ${to.name}, not to ${modelType.name}`, { key: name })
  return helper
}

/**
 * The accessor of a relation to one record, with the types of `model`: `toOne(order, 'customer', app.models.Customer)`.
 * @throws {InvalidRelation} the record has no such relation, or it leads to another model
 */
export function toOne<R extends object, T extends object, F extends ModelFacts>(
  record: R,
  name: RelationTo<R, 'one', T>,
  { modelType }: ModelClass<T, F>
): ToOne<T, F> {
  // Relations put helpers of this form on the records of their models.
  return accessorOf(record, name, { modelType, many: false }) as ToOne<T, F>
}

/**
 * The accessor of a relation to several records, with the types of `model`: `toMany(author, 'books', app.models.Book)`.
 * @throws {InvalidRelation} the record has no such relation, or it leads to another model
 */
export function toMany<R extends object, T extends object, F extends ModelFacts>(
  record: R,
  name: RelationTo<R, 'many', T>,
  { modelType }: ModelClass<T, F>
): ToMany<T, F> {
  // As above.
  return accessorOf(record, name, { modelType, many: true }) as ToMany<T, F>
}

function ownMethods(relation: ResolvedRelation, modelInstance: Model): Record<string, AccessorMethod> {
  const self: RelationSelf = { definition: relation, modelInstance }
  const functions = Object.entries(relation.settings.methods).filter(
    (entry): entry is [string, AccessorMethod] => typeof entry[1] === 'function'
  )
  return Object.fromEntries(functions.map(([name, method]) => [name, (...args) => method.apply(self, args)]))
}

function makeAccessor(relation: ResolvedRelation, parent: Model, style: AccessorStyle): AccessorMethod {
  const kind = behaviourOf(relation)
  const helper = kind.many
    ? toManyAccessor(relation, parent, kind.methods, style)
    : toOneAccessor(relation, parent, kind.methods, style)
  return Object.assign(helper, ownMethods(relation, parent))
}

/** False where a property has the name. LB3: both may be there, and the property is what records show. */
function hasFreeName({ from, name }: ResolvedRelation): boolean {
  const { registry, byName } = from
  const place = { model: from.name, key: `relations.${name}` }
  if (name in registry.rootClass.prototype)
    throw new InvalidRelation(`a relation cannot have the name of the method ${name}, which every record has`, place)
  if (!byName.has(name)) return true
  if (registry.rules.propertyHidesRelation) return false
  throw new InvalidRelation('a property has this name', place)
}

/**
 * Adds the accessor of a relation to the records of a model: a function with its name, with methods.
 * @throws {InvalidRelation} the name is taken
 */
export function defineAccessor(relation: ResolvedRelation, style: AccessorStyle): void {
  const { prototype } = relation.from.modelClass
  if (!hasFreeName(relation)) {
    // The helper of a model that this one extends must not take what is assigned to the property.
    Object.defineProperty(prototype, relation.name, { configurable: true, writable: true, value: undefined })
    return
  }
  Object.defineProperty(prototype, relation.name, {
    configurable: true,
    get(this: Model) {
      return makeAccessor(relation, this, style)
    },
    // Old rows may hold a value under this name: it is not part of the record.
    set: () => {}
  })
}

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
    updateAll: async (...args) => {
      const [where, data, options] = args.length < 2 ? [undefined, args[0]] : args
      return updateInScope(scope, where, data, callWith(options))
    }
  }
}

/**
 * Adds the accessor of a named scope to a model's class: `Post.published(filter)`, `Post.published.count()`.
 * @throws {InvalidRelation} the scope is called like a method of every model
 */
export function defineScopeAccessor(scope: NamedScope, style: AccessorStyle): void {
  if (scope.name in scope.model.registry.rootClass)
    throw new InvalidRelation(`a scope cannot have the name of the method ${scope.name}, which every model has`, {
      model: scope.model.name,
      key: `scopes.${scope.name}`
    })
  const methods = Object.entries(scopeMethods(scope)).map(([name, method]) => [name, styled(method, style)] as const)
  const all = Object.fromEntries(methods)
  const helper = (...args: unknown[]): unknown => all['find']?.(...args)
  const value = Object.assign(helper, all, { build: (data?: unknown) => buildInScope(scope, data) })
  Object.defineProperty(scope.model.modelClass, scope.name, { configurable: true, value })
}
