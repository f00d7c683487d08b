import type { RaRecord } from 'ra-core'
import type { ResourceSettings } from './options.ts'

/** The queries of the adjacent pages, from the server. */
export interface PageLinks {
  readonly next: string | undefined
  readonly prev: string | undefined
}

/** A record in react-admin's form: with its key as `id`. */
export function toRecord(body: unknown, { idProperties }: ResourceSettings): RaRecord {
  const record = isObject(body) ? body : {}
  const [first = 'id', ...more] = idProperties
  const part = (name: string): string => encodeURIComponent(String(record[name]))
  const id = more.length === 0 ? record[first] : idProperties.map(part).join()
  // The key of a stored record is a number or a text, which that of several properties is as well, as it stands in a path.
  return { ...record, id: id as RaRecord['id'] }
}

/** The id of a record as it stands in a path. */
export const idInPath = ({ idProperties }: ResourceSettings, id: RaRecord['id']): string =>
  idProperties.length === 1 ? encodeURIComponent(id) : String(id)

/** Records in react-admin's form. */
export function toRecords(body: unknown, resource: ResourceSettings): RaRecord[] {
  return Array.isArray(body) ? body.map((record) => toRecord(record, resource)) : []
}

/** The records have the `id` themselves, as their only one. A part of several of this name is replaced by the text of all. */
const hasOwnId = (names: readonly string[]): boolean => names.length === 1 && names[0] === 'id'

/** The body to send for a form: without the `id` that only react-admin uses. */
export function toBody(data: object, { idProperties }: ResourceSettings): object {
  if (hasOwnId(idProperties)) return data
  const { id: _id, ...body } = data as { id?: unknown } // any object may have one
  return body
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The properties of a form that differ from the record as it was read; all of them if that is unknown. The key is kept. */
export function changesOf(data: object, previous: unknown, resource: ResourceSettings): object {
  const before = isObject(previous) ? previous : {}
  const changed = Object.entries(data).filter(([name, value]) => name !== 'id' && !isSame(value, before[name]))
  return Object.fromEntries(changed.filter(([name]) => !resource.idProperties.includes(name)))
}

/** What an entity tag may hold (RFC 9110, 8.8.3). */
const tagText = /^[\x21\x23-\x7E]+$/

/** The `If-Match` for changing a record as it was read; empty if the record has no version. */
export function ifMatch(previous: unknown, { versionProperty }: ResourceSettings): Readonly<Record<string, string>> {
  const version = versionProperty !== false && isObject(previous) ? previous[versionProperty] : undefined
  return typeof version === 'string' && tagText.test(version) ? { 'if-match': `"${version}"` } : {}
}

/** True for objects that are not lists. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The queries of the next and the previous page, from a `Link` header (RFC 8288) whose targets are pages of the same list;
 * undefined if the response has none.
 */
export function readLinks(header: string | null): PageLinks | undefined {
  if (header === null) return undefined
  const found = new Map<string, string>()
  for (const [, target = '', rel = ''] of header.matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)) {
    const mark = target.indexOf('?')
    if (mark >= 0) found.set(rel, target.slice(mark))
  }
  return { next: found.get('next'), prev: found.get('prev') }
}
