import { SearchNotConfigured } from './errors.ts'
import { isObject } from './records.ts'
import type { ResourceSettings, Where } from './options.ts'

/** Operators that may follow the name of a property: `price_gte`. */
export const suffixes: ReadonlySet<string> = new Set([
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'inq',
  'nin',
  'like',
  'nlike',
  'ilike',
  'nilike',
  'regexp',
  'startsWith'
])

/** Operators of relations, whose values are conditions on related records. */
const quantifiers: ReadonlySet<string> = new Set(['some', 'none', 'every', 'count'])

const joins: ReadonlySet<string> = new Set(['and', 'or', 'nor'])

const escapeText = (text: string): string => text.replaceAll(/[\^$.*+?()[\]{}|\\/]/g, String.raw`\$&`)

/** What the user typed, found as it is anywhere in one of the properties, in any case of letters. */
function searchFor(text: string, { name, search }: ResourceSettings): Where {
  if (search === undefined) throw new SearchNotConfigured(name)
  if (typeof search === 'function') return search(text)
  return { or: search.map((property) => ({ [property]: { regexp: `/${escapeText(text)}/i` } })) }
}

/** The condition that a filter value stands for, by the path of the property and an operator behind it. */
function conditionOf(path: string, value: unknown, { idProperties }: ResourceSettings): Where {
  const at = path.lastIndexOf('_')
  const suffix = path.slice(at + 1)
  const hasSuffix = at > 0 && suffixes.has(suffix)
  const property = hasSuffix ? path.slice(0, at) : path
  const name = property === 'id' ? idProperties.join() : property
  if (hasSuffix) return { [name]: suffix === 'eq' ? value : { [suffix]: value } }
  return { [name]: Array.isArray(value) ? { inq: value } : value }
}

/** Conditions of filter values below a path. Inputs with a `source` such as `address.city` make objects. */
function conditionsIn(values: object, prefix: string, resource: ResourceSettings): Where[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    if (value === undefined) return []
    if (prefix !== '' && isObject(value) && quantifiers.has(key)) return [{ [prefix.slice(0, -1)]: { [key]: value } }]
    if (isObject(value) && !(value instanceof Date)) return conditionsIn(value, `${prefix}${key}.`, resource)
    return [conditionOf(`${prefix}${key}`, value, resource)]
  })
}

function clausesOf(key: string, value: unknown, resource: ResourceSettings): Where[] {
  if (key === 'q') return typeof value === 'string' && value.trim() !== '' ? [searchFor(value.trim(), resource)] : []
  if (joins.has(key) && Array.isArray(value)) return [{ [key]: value }]
  return conditionsIn({ [key]: value }, '', resource)
}

/**
 * The `where` for react-admin's filter values, all of which must match; undefined if there are none.
 * @throws {SearchNotConfigured} there is a `q`, and the resource has no option `search`
 */
export function whereOf(filter: unknown, resource: ResourceSettings): Where | undefined {
  if (!isObject(filter)) return undefined
  const clauses = Object.entries(filter).flatMap(([key, value]) => clausesOf(key, value, resource))
  return clauses.length > 1 ? { and: clauses } : clauses[0]
}
