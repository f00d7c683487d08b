import type { OperationContext } from '@modelwire/core'
import { isPlainObject, type Operation } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirmPreference, preferencesOf, setExposed } from '../preferences/read-preferences.ts'
import { clientList } from './client-list.ts'
import type { RestSettings } from '../options.ts'

/** Tells clients of the page that they get: how many records there are, where the next ones are. */
export interface ListFacts {
  /** Every client gets them; otherwise only those that ask by Prefer. */
  readonly forAll: boolean
  /** Asks for what the request wants to know, before the list is read. */
  readonly ask: (request: FastifyRequest, context: OperationContext) => void
  /** Sets the headers, once it is read. */
  readonly tell: (request: FastifyRequest, reply: FastifyReply, context: OperationContext) => void
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

/** Compiles what the answers of an operation tell of a list; undefined where it gives none. */
export function compileListFacts(operation: Operation, settings: RestSettings): ListFacts | undefined {
  const list = clientList(operation, settings.lists)
  if (list === undefined) return undefined
  const isStrict = settings.handling === 'strict'
  const { count = false, links = false } = list.settings
  return {
    forAll: count || links,
    ask(request, context) {
      const preferred = preferencesOf(request, isStrict)
      const total = count || preferred.count !== undefined
      const cursors = links || preferred.links === true
      if (total || cursors) context.page = { total, cursors }
    },
    tell(request, reply, context) {
      const { page } = context
      if (page?.facts === undefined) return
      const preferred = preferencesOf(request, isStrict)
      const { total } = page.facts
      if (total !== undefined) setExposed(request, reply, 'x-total-count', String(total))
      if (total !== undefined && preferred.count !== undefined) confirmPreference(reply, 'count=exact')
      if (!page.cursors) return
      if (preferred.links) confirmPreference(reply, 'links')
      const text = linksOf(request, context)
      if (text !== '') setExposed(request, reply, 'link', text)
    }
  }
}
