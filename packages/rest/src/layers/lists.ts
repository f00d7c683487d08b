import { InvalidFilter, type OperationContext, type ModelDefinition } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { LimitExceeded, listedModel } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { FastifyRequest } from 'fastify'
import type { CheckArguments } from '../input/read-arguments.ts'
import type { Layer, Steps } from './layer.ts'
import { confirmPreference, preferencesOf, setExposed } from '../input/read-preferences.ts'

/** True for what LoopBack takes for no limit. */
const isNone = (limit: unknown): boolean => limit === undefined || limit === null || limit === '' || Number(limit) === 0

/** Compiles the size of a list's pages; undefined where it has none. What it gives throws {@link LimitExceeded} where a client names a larger limit. */
function compileLimit(
  { name }: ModelType,
  { maxLimit = Infinity, limit = maxLimit }: NonNullable<ModelDefinition['lists']>
) {
  const usual = Math.min(limit, maxLimit)
  if (usual === Infinity && maxLimit === Infinity) return undefined
  return (filter: unknown): unknown => {
    if (filter === undefined || filter === null) return { limit: usual }
    if (!isPlainObject(filter)) throw new InvalidFilter('a filter must be an object')
    if (isNone(filter['limit'])) return { ...filter, limit: usual }
    if (Number(filter['limit']) > maxLimit)
      throw new LimitExceeded(`a list of ${name} has at most ${maxLimit} records: read it page by page`)
    return filter
  }
}

/** The query of a request with another filter: what it says beside it stays. */
function queryWith({ url = '' }: FastifyRequest['raw'], filter: object): string {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  for (const name of new Set(query.keys())) if (name === 'filter' || name.startsWith('filter[')) query.delete(name)
  if (Object.keys(filter).length > 0) query.set('filter', JSON.stringify(filter))
  return `?${query.toString()}`
}

/** Links to other pages (RFC 8288), relative to the address of the request, which a proxy may have changed. */
function linksOf(request: FastifyRequest, { args, page }: OperationContext): string {
  const raw = isPlainObject(args['filter']) ? args['filter'] : {}
  const { after: _after, before: _before, skip, offset, ...filter } = raw
  const { next, previous } = page?.facts ?? {}
  const isFirst = (_after ?? _before ?? null) === null && !Number(skip ?? offset ?? 0)
  const links = [
    isFirst ? undefined : (['first', filter] as const),
    previous === undefined ? undefined : (['prev', { ...filter, before: previous }] as const),
    next === undefined ? undefined : (['next', { ...filter, after: next }] as const)
  ].filter((link) => link !== undefined)
  return links.map(([rel, target]) => `<${queryWith(request.raw, target)}>; rel="${rel}"`).join(', ')
}

/** Tells clients of the page that they get: how many records there are, where the next ones are. Everyone is told what the settings say, others what they ask for by Prefer. */
function pageSteps(
  { count = false, links = false }: NonNullable<ModelDefinition['lists']>,
  isStrict: boolean
): Pick<Steps, 'begin' | 'beforeWriting'> {
  const isForAll = count || links
  return {
    begin(request, context) {
      if (!isForAll && request.headers.prefer === undefined) return
      const preferred = preferencesOf(request, isStrict)
      const total = count || preferred.count !== undefined
      const cursors = links || preferred.links === true
      if (total || cursors) context.page = { total, cursors }
    },
    beforeWriting({ request, reply, context }) {
      const { page } = context
      if (page?.facts === undefined) return false
      const preferred = preferencesOf(request, isStrict)
      const { total } = page.facts
      if (total !== undefined) setExposed(request, reply, 'x-total-count', String(total))
      if (total !== undefined && preferred.count !== undefined) confirmPreference(reply, 'count=exact')
      if (!page.cursors) return false
      if (preferred.links) confirmPreference(reply, 'links')
      const text = linksOf(request, context)
      if (text !== '') setExposed(request, reply, 'link', text)
      return false
    }
  }
}

/** Pagination of lists. */
export const lists: Layer = {
  headers: { response: ['link', 'x-total-count'] },
  mount: ({ settings: { lists: shared, handling } }) => ({
    claim: ({ operation }) => {
      const model = listedModel(operation)
      if (model === undefined) return undefined
      const settings = { ...shared, ...model.definition.lists }
      const bound = operation.accepts.some(({ name }) => name === 'filter') ? compileLimit(model, settings) : undefined
      const check: CheckArguments | undefined =
        bound &&
        ((_query, args) => {
          args['filter'] = bound(args['filter'])
        })
      return { check, ...pageSteps(settings, handling === 'strict') }
    }
  })
}
