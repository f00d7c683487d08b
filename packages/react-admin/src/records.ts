import type { RaRecord } from 'ra-core'
import { isObject } from './is-object.ts'
import type { ResourceSettings } from './options.ts'

/** A record as react-admin wants it: with its key as `id`. */
export function toRecord(body: unknown, { idProperty }: ResourceSettings): RaRecord {
  const record = isObject(body) ? body : {}
  // The key of a stored record is a number or a text.
  return { ...record, id: record[idProperty] as RaRecord['id'] }
}

/** Records as react-admin wants them. */
export function toRecords(body: unknown, resource: ResourceSettings): RaRecord[] {
  return Array.isArray(body) ? body.map((record) => toRecord(record, resource)) : []
}

/** What is sent of a form: without the `id` that only react-admin knows. */
export function toBody(data: object, { idProperty }: ResourceSettings): object {
  if (idProperty === 'id') return data
  const { id: _id, ...body } = data as { id?: unknown } // any object may have one
  return body
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The properties of a form that differ from the record as it was read; all of them where that is not known. The key stays. */
export function changesOf(data: object, previous: unknown, resource: ResourceSettings): object {
  const before = isObject(previous) ? previous : {}
  const changed = Object.entries(data).filter(([name, value]) => name !== 'id' && !isSame(value, before[name]))
  return Object.fromEntries(changed.filter(([name]) => name !== resource.idProperty))
}

/** What an entity tag may hold (RFC 9110, 8.8.3). */
const tagText = /^[\x21\x23-\x7E]+$/

/** The `If-Match` of a change of a record as it was read; none where the record has no version. */
export function ifMatch(previous: unknown, { versionProperty }: ResourceSettings): Readonly<Record<string, string>> {
  const version = versionProperty !== false && isObject(previous) ? previous[versionProperty] : undefined
  return typeof version === 'string' && tagText.test(version) ? { 'if-match': `"${version}"` } : {}
}
