import type { OrderClause } from '../contract/condition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Row } from '../contract/row.ts'
import { InvalidCursor } from '../errors.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { readPath } from '../values/read-path.ts'

/** The place of one record in an order: its values by the paths of the clauses. */
export type Place = Readonly<Record<string, unknown>>

const keyOf = ({ path }: OrderClause): string => path.join('.')

/** The cursor of a record: what its place in an order is, as text that clients need not understand. */
export function cursorOf(row: Row, order: readonly OrderClause[]): string {
  const place = order.map((clause) => [keyOf(clause), readPath(row, clause.path) ?? null] as const)
  return Buffer.from(JSON.stringify(Object.fromEntries(place))).toString('base64url')
}

/** The cursor of a filter as written, and its key; undefined where it has none. @throws {InvalidCursor} it has two */
export function cursorIn(raw: unknown): readonly ['after' | 'before', unknown] | undefined {
  if (!isPlainObject(raw)) return undefined
  const [after, before] = [raw['after'] ?? undefined, raw['before'] ?? undefined]
  if (after !== undefined && before !== undefined)
    throw new InvalidCursor('after and before cannot both be given: a page has one end to start from')
  if (after !== undefined) return ['after', after]
  return before === undefined ? undefined : ['before', before]
}

function decode(cursor: unknown): unknown {
  if (typeof cursor !== 'string') return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** True for values that a cursor may hold: what a filter would take for an operator is none. */
const isPlainValue = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Reads a cursor.
 * @param name of the key in the filter, for the message
 * @throws {InvalidCursor} it is none, or one of another order
 */
export function readCursor(name: string, cursor: unknown, order: readonly OrderClause[]): Place {
  const place = decode(cursor)
  if (!isPlainObject(place) || !Object.values(place).every(isPlainValue))
    throw new InvalidCursor(`${name} must be a cursor that a list has given`)
  const keys = order.map(keyOf)
  if (Object.keys(place).join() !== keys.join())
    throw new InvalidCursor(`${name} is a cursor of another order: begin again with the first page`)
  return place
}

/** A step of an order with the value from which it goes on. */
interface Step {
  readonly key: string
  readonly value: unknown
  readonly descending: boolean
  /** Records may have no value. */
  readonly isOptional: boolean
}

type Wire = Record<string, unknown>

const orAbsent = ({ key, descending, isOptional }: Step, where: Wire): Wire =>
  descending && isOptional ? { or: [where, { [key]: null }] } : where

/** What comes after the value; undefined where nothing can: what is absent comes last in a descending order. */
function beyond(step: Step): Wire | undefined {
  const { key, value, descending } = step
  if (value === null) return descending ? undefined : { [key]: { neq: null } }
  // false comes before true; not every database compares them.
  if (typeof value === 'boolean' && value === descending) return orAbsent(step, { [key]: !value })
  if (typeof value === 'boolean') return descending ? { [key]: null } : undefined
  return orAbsent(step, { [key]: { [descending ? 'lt' : 'gt']: value } })
}

/** A bound that an index can begin at; undefined where all records are within it. */
function notBefore(step: Step): Wire | undefined {
  const { key, value, descending } = step
  if (value === null) return descending ? { [key]: null } : undefined
  if (value === true && descending) return undefined
  if (value === false && !descending) return { [key]: { neq: null } }
  if (typeof value === 'boolean') return orAbsent(step, { [key]: value })
  return orAbsent(step, { [key]: { [descending ? 'lte' : 'gte']: value } })
}

const joined = (key: 'and' | 'or', parts: readonly (Wire | undefined)[]): Wire | undefined => {
  const present = parts.filter((part) => part !== undefined)
  return present.length > 1 ? { [key]: present } : present[0]
}

function whereBeyond([step, ...rest]: readonly Step[]): Wire | undefined {
  if (step === undefined) return undefined
  if (rest.length === 0) return beyond(step)
  return joined('and', [notBefore(step), joined('or', [beyond(step), whereBeyond(rest)])])
}

/**
 * The `where` of what comes after a place. The last clause has to be the id, of which no record lacks a value.
 *
 * The first clause bounds all by itself, so that a database enters an index where the page begins.
 */
export function whereAfter(model: ModelType, order: readonly OrderClause[], place: Place): Wire {
  const steps = order.map((clause): Step => {
    const key = keyOf(clause)
    return { key, value: place[key], descending: clause.descending, isOptional: mayBeAbsent(model, clause) }
  })
  return whereBeyond(steps) ?? {}
}

/** True where records may lack the value of a clause: everywhere but at the id, and at what is required. */
export function mayBeAbsent({ byName }: ModelType, { path }: OrderClause): boolean {
  const property = byName.get(path[0] ?? '')
  return path.length > 1 || property === undefined || !(property.id || property.required)
}
