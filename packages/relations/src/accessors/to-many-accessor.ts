import type { Model } from '@modelwire/core'
import { callOf, isPlainObject, type ResolvedRelation } from '@modelwire/core/plugin'
import { embeddedInstances } from '../records/embedded.ts'
import type { ToManyMethods } from '../relation-kind.ts'
import type { Related } from '../related.ts'
import { type AsyncMethod, type AccessorMethod, type AccessorStyle, styled } from './accessor-style.ts'
import { includedValue } from './included-value.ts'
import { listMethods } from './list-methods.ts'

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
  const update: AsyncMethod = async (where, data, options) =>
    isPlainObject(data)
      ? updateAll(related(options), where, data)
      : updateAll(related(data), undefined, isPlainObject(where) ? where : {})
  return { updateAll: update, update }
}

function writers(related: MakeRelated, methods: ToManyMethods): Record<string, AsyncMethod> {
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

/** The helper of a relation to several records: `author.books(filter)`, `author.books.create(data)`. */
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
  const all = { ...readers(related, methods), ...writers(related, methods) }
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
