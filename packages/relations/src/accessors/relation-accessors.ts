import { Model } from '@modelwire/core'
import { callOf, type ResolvedRelation, stateOf } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { embeddedInstances } from '../records/embedded.ts'
import type { Related, ToManyMethods, ToOneMethods } from '../related.ts'
import { copyProperties } from '../records/child-data.ts'
import { keyOfTarget, modelOfParent } from '../records/target-of.ts'

/** The value that was included with a record when it was read. */
export const includedValue = {
  get: (record: Model, name: string): unknown => stateOf(record).related?.[name],
  set: (record: Model, name: string, value: unknown): void => {
    const state = stateOf(record)
    state.related = { ...state.related, [name]: value }
  }
}

/** An asynchronous method. */
export type AsyncMethod = (...args: unknown[]) => Promise<unknown>

/** A method as called by the application: `boot` lets it take a callback. */
export type AccessorMethod = (...args: unknown[]) => unknown

/** How accessors on records are called. */
export interface AccessorStyle {
  /** Wraps an asynchronous method. */
  readonly wrap?: (method: AsyncMethod) => AccessorMethod
  /** LoopBack's style: without arguments an accessor synchronously returns what was included, or is embedded. */
  readonly readsAtOnce?: boolean
}

/** LoopBack's short names for what helpers of embedded lists do with a record of a known id. */
const shortNames = { get: 'findById', set: 'updateById', unset: 'destroyById' } as const

type MakeRelated = (options: unknown) => Related

function readers(related: MakeRelated, methods: ToManyMethods): Record<string, AsyncMethod> {
  const find: AsyncMethod = async (filter, options) => [
    ...(await methods.find(related(options), isPlainObject(filter) ? filter : undefined)).instances()
  ]
  return {
    find,
    findOne: async (filter, options) => {
      const first = { ...(isPlainObject(filter) ? filter : {}), limit: 1 }
      return (await methods.find(related(options), first)).first() ?? null
    },
    findById: async (id, options) => methods.findById(related(options), id),
    exists: async (id, options) => methods.exists(related(options), id),
    count: async (where, options) => methods.count(related(options), where)
  }
}

/** A query of all is a query without conditions. LoopBack's `updateAll(data)` changes all as well. */
function updater(related: MakeRelated, { updateAll }: ToManyMethods): Record<string, AsyncMethod> {
  if (updateAll === undefined) return {}
  const update: AsyncMethod = async (...args) => {
    const [where, data, options] = args.length < 2 ? [undefined, args[0]] : args
    return updateAll(related(options), where, data)
  }
  return { updateAll: update, update }
}

function writersOfMany(related: MakeRelated, methods: ToManyMethods): Record<string, AsyncMethod> {
  const { add, remove } = methods
  const destroy: AsyncMethod = async (id, options) => methods.destroyById(related(options), id)
  const destroyAll: AsyncMethod = async (where, options) => methods.destroyAll(related(options), where)
  return {
    create: async (data, options) => methods.create(related(options), data),
    updateById: async (id, data, options) => methods.updateById(related(options), id, data),
    destroy,
    destroyById: destroy,
    destroyAll,
    deleteAll: destroyAll,
    ...updater(related, methods),
    ...(add && { add: async (target, data, options) => add(related(options), target, data) }),
    ...(remove && { remove: async (target, options) => remove(related(options), target) })
  }
}

/** The accessor of a relation to several records: `author.books(filter)`, `author.books.create(data)`. */
export function toManyAccessor(
  relation: ResolvedRelation,
  parent: Model,
  methods: ToManyMethods,
  style: AccessorStyle
): AccessorMethod {
  const related: MakeRelated = (options) => ({
    relation,
    parent,
    call: callOf(isPlainObject(options) ? options : undefined)
  })
  const all = { ...readers(related, methods), ...writersOfMany(related, methods) }
  const styledMethods = Object.fromEntries(Object.entries(all).map(([name, method]) => [name, styled(method, style)]))
  const read = styledMethods['find']
  const helper = (...args: unknown[]): unknown => {
    if (args.length > 0 || style.readsAtOnce !== true) return read?.(...args)
    return relation.embeds ? embeddedInstances(related({})) : includedValue.get(parent, relation.name)
  }
  const ofLists = listMethods(relation, () => related(undefined), methods, style, styledMethods)
  const build = (data?: unknown) => methods.build(related({}), data)
  return Object.assign(helper, styledMethods, ofLists, { build })
}

/** What helpers of lists that the parent itself holds can do besides: `parts.at(0)`, `parts.get(id)`. */
function listMethods(
  { embeds }: ResolvedRelation,
  related: () => Related,
  { at }: ToManyMethods,
  style: AccessorStyle,
  others: Readonly<Record<string, AccessorMethod | undefined>>
): Record<string, AccessorMethod> {
  if (at === undefined) return {}
  const read: AsyncMethod = async (index) => at(related(), Number(index))
  const methods: Record<string, AccessorMethod> = { at: styled(read, style) }
  if (!embeds) return methods
  for (const [short, long] of Object.entries(shortNames)) {
    const method = others[long]
    if (method !== undefined) methods[short] = method
  }
  if (style.readsAtOnce !== true) return methods
  const later = methods['at']
  methods['at'] = (...args) =>
    args.length > 1 ? later?.(...args) : (embeddedInstances(related())[Number(args[0])] ?? null)
  return methods
}

/** A method in the requested style. */
export function styled(method: AsyncMethod, { wrap }: AccessorStyle): AccessorMethod {
  return wrap === undefined ? method : wrap(method)
}

/** The declaring record takes over the key of its owner, and what `properties` name. */
function takeOwner({ relation, parent }: Related, target: Model): void {
  if (relation.discriminator !== undefined && relation.to === undefined)
    parent[relation.discriminator.property] = target.constructor.name
  const model = modelOfParent(relation, parent)
  parent[relation.keyFrom] = target[model === undefined ? relation.keyTo : keyOfTarget(relation, model)]
  copyProperties(relation, parent, target)
}

/** Makes a record the related one: one of both takes over a key, and it is what reading gives from now on. Nothing is stored. */
function setRelated(related: Related, target: Model): void {
  const { relation, parent } = related
  if (relation.embeds) parent.setAttributes({ [relation.keyFrom]: target.toObject() })
  else if (relation.holdsKey === 'one') takeOwner(related, target)
  else target[relation.keyTo] = parent[relation.keyFrom]
  includedValue.set(parent, relation.name, target)
}

function removeOwner({ relation, parent }: Related): void {
  if (relation.holdsKey !== 'one') return
  parent[relation.keyFrom] = undefined
  includedValue.set(parent, relation.name, undefined)
}

function writersOfOne(
  related: (options: unknown) => Related,
  { build, create, update, destroy }: ToOneMethods,
  style: AccessorStyle
): Record<string, AccessorMethod> {
  return {
    ...(build && { build: (data) => build(related({}), data) }),
    ...(create && { create: styled(async (data, options) => create(related(options), data), style) }),
    ...(update && { update: styled(async (data, options) => update(related(options), data), style) }),
    ...(destroy && { destroy: styled(async (options) => destroy(related(options)), style) })
  }
}

/** The accessor of a relation to one record: `order.customer()`, `order.customer.create(data)`. */
export function toOneAccessor(
  relation: ResolvedRelation,
  parent: Model,
  methods: ToOneMethods,
  style: AccessorStyle
): AccessorMethod {
  const related = (options: unknown): Related => ({
    relation,
    parent,
    call: callOf(isPlainObject(options) ? options : undefined)
  })
  const get = async (refresh?: unknown, options?: unknown): Promise<unknown> => {
    const cached = refresh === true ? undefined : includedValue.get(parent, relation.name)
    return cached ?? methods.get(related(isPlainObject(refresh) ? refresh : options))
  }
  const read = styled(get, style)
  const helper = (...args: unknown[]): unknown => {
    const [first, ...more] = args
    if (first instanceof Model) return setRelated(related({}), first)
    if (style.readsAtOnce !== true || (first ?? more[0] ?? null) !== null) return read(...args)
    // LB3: without a callback null takes the related record away; relation-definition.js, BelongsTo.related.
    if (first === null) return removeOwner(related({}))
    return relation.embeds ? embeddedInstances(related({}))[0] : includedValue.get(parent, relation.name)
  }
  return Object.assign(helper, { get: read }, writersOfOne(related, methods, style))
}
