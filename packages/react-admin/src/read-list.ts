import type { GetListParams, GetListResult } from 'ra-core'
import { codeOf } from './errors.ts'
import { isObject, toRecords, readLinks } from './records.ts'
import type { ResourceSettings, Where } from './options.ts'
import type { ApiAnswer, Send } from './send.ts'
import type { VisitedPages } from './visited-pages.ts'

/** The dependencies for reading lists. */
export interface ListReader {
  readonly send: Send
  readonly visited: VisitedPages
}

/** A page of a list that react-admin requests. */
export interface ListRequest extends Pick<GetListParams, 'pagination' | 'sort' | 'signal'> {
  readonly resource: ResourceSettings
  readonly where: Where | undefined
  /** `include` and `fields` are added to the filter. */
  readonly meta: unknown
}

/** A query with a JSON value; empty if all members are undefined. */
export function queryOf(name: string, value: object): string {
  const text = JSON.stringify(value)
  return text === '{}' ? '' : `?${name}=${encodeURIComponent(text)}`
}

/** The parts of a filter that react-admin's `meta` may set. */
export function partsOfMeta(meta: unknown): object {
  if (!isObject(meta)) return {}
  return { include: meta['include'], fields: meta['fields'] }
}

function filterOf({ resource, where, pagination, sort, meta }: ListRequest): object {
  const fields = sort?.field === 'id' ? resource.idProperties : [sort?.field]
  const present = fields.filter((field) => field !== undefined && field !== '')
  const order = present.map((field) => `${field} ${sort?.order ?? 'ASC'}`)
  return {
    where,
    order: order.length === 0 ? undefined : order,
    limit: pagination?.perPage,
    ...partsOfMeta(meta)
  }
}

/** The number of records in the header; LoopBack has none, and is asked for it. */
async function totalOf({ headers }: ApiAnswer, list: ListRequest, send: Send): Promise<number | undefined> {
  const { resource, where, signal } = list
  if (!resource.count) return undefined
  const told = headers.get('x-total-count')
  if (told !== null) return Number(told)
  const { body } = await send({ path: `${resource.name}/count${queryOf('where', where ?? {})}`, signal })
  return isObject(body) ? Number(body['count']) : 0
}

/** By cursor where one is known for the page. A cursor that the server does not take any more is none. */
async function readByCursor(list: ListRequest, query: string | undefined, { send }: ListReader) {
  if (query === undefined) return undefined
  const { resource, signal } = list
  try {
    const answer = await send({ path: resource.name + query, headers: headersOf(resource), signal })
    return { query, answer }
  } catch (error) {
    if (codeOf(error) === 'INVALID_CURSOR') return undefined
    throw error
  }
}

const headersOf = ({ count }: ResourceSettings): Readonly<Record<string, string>> => ({
  prefer: count ? 'count=exact, links' : 'links'
})

async function readBySkip(list: ListRequest, filter: object, page: number, { send }: ListReader) {
  const { resource, pagination, signal } = list
  const skip = (page - 1) * (pagination?.perPage ?? 0)
  const query = queryOf('filter', skip === 0 ? filter : { ...filter, skip })
  return { query, answer: await send({ path: resource.name + query, headers: headersOf(resource), signal }) }
}

/** Reads a page: by cursor if the user comes from the previous or next page, otherwise by its offset. */
export async function readList(list: ListRequest, reader: ListReader): Promise<GetListResult> {
  const { resource, pagination } = list
  const page = pagination?.page ?? 1
  const filter = filterOf(list)
  const key = resource.name + queryOf('filter', filter)
  // The first page is always read from the beginning, so that it has what came in front of the records in the meantime.
  const known = page === 1 ? undefined : reader.visited.find(key, page)
  const { query, answer } = (await readByCursor(list, known, reader)) ?? (await readBySkip(list, filter, page, reader))
  const links = readLinks(answer.headers.get('link'))
  reader.visited.keep(key, page, query, links)
  const data = toRecords(answer.body, resource)
  const total = await totalOf(answer, list, reader.send)
  const pageInfo = pageInfoOf(links?.next, {
    page,
    isFull: data.length === pagination?.perPage,
    isLinked: links !== undefined
  })
  if (total === undefined) return { data, pageInfo }
  return links === undefined ? { data, total } : { data, total, pageInfo }
}

interface PageFacts {
  readonly page: number
  readonly isFull: boolean
  readonly isLinked: boolean
}

/** Without links a full page may have one behind it. */
function pageInfoOf(
  next: string | undefined,
  { page, isFull, isLinked }: PageFacts
): NonNullable<GetListResult['pageInfo']> {
  return { hasNextPage: isLinked ? next !== undefined : isFull, hasPreviousPage: page > 1 }
}
