import type { Comparison } from '@modelwire/core'
import type { Family } from '../family.ts'
import { isStorable } from './is-storable.ts'
import { everything, exactly, nothing, type Pushed, type PushTest, unsaid, type Where } from './pushed.ts'

/** Names that no connector reads as anything but a property. */
const plainName = /^[A-Za-z_]\w*$/
const reserved: ReadonlySet<string> = new Set(['and', 'or', 'nor', 'constructor', 'prototype', '__proto__'])

/** True for names of properties that a connector may be asked about. */
export const isPlainName = (name: string): boolean => plainName.test(name) && !reserved.has(name)

/** Whether an operand has the type of its property, so that the connector compares it as it is. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && isStorable(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime())
}

/**
 * Makes the function that says what a connector is asked of one test. The properties are declared and hold one value; everything
 * else is tested in this process.
 */
export function pushTest(family: Family, dialect: Dialect): PushTest {
  const push = pushes[family](dialect)
  // LB3: MongoDB's connector looks for null alone where it is asked for null.
  const absent = family === 'mongodb' ? { inq: [null] } : null
  return (test) => {
    const [property, ...below] = test.path
    if (property === undefined || below.length > 0 || !isPlainName(property)) return unsaid
    const fit = fits[test.type?.kind ?? '']
    return fit === undefined ? unsaid : push({ test, property, fit, absent })
  }
}

/** What decides how a database is asked. */
export interface Dialect {
  /** The connector's name: the databases differ in what they understand. */
  readonly connector: string
  /** `like` finds a part of a text. */
  readonly likeAnywhere: boolean
  /** The name of the id property. */
  readonly id: string | undefined
}

interface Place {
  readonly test: Comparison
  readonly property: string
  readonly fit: (value: unknown) => boolean
  /** What finds null and absent values. */
  readonly absent: unknown
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

/**
 * Of a connector that nothing is known of: what every one takes for the same. It may find too much, which is noticed, and text is
 * not compared by it.
 */
function pushCautiously({ test, property, fit }: Place): Pushed {
  if (test.operator === 'eq') return fit(test.value) ? exactly({ [property]: test.value }) : unsaid
  if (test.type?.kind === 'string' || !isOrder(test.operator) || !fit(test.value)) return unsaid
  return exactly({ [property]: { [test.operator]: test.value } })
}

const isOrder = (operator: string): boolean => ['gt', 'gte', 'lt', 'lte'].includes(operator)

function pushKnown(place: Place): Pushed {
  const { operator } = place.test
  if (operator === 'eq' || operator === 'neq') return pushEqual(place)
  if (operator === 'inq' || operator === 'nin') return pushAmong(place)
  if (isOrder(operator)) return pushOrder(place)
  return operator === 'between' ? pushBetween(place) : unsaid
}

const pushes: Readonly<Record<Family, (dialect: Dialect) => (place: Place) => Pushed>> = {
  relational: (dialect) => (place) => ('like' in place.test ? pushLike(place, dialect) : pushKnown(place)),
  mongodb: (dialect) => (place) => (isOfObjectIds(place, dialect) ? unsaid : pushKnown(place)),
  other: () => pushCautiously
}

const asIs: ReadonlySet<string> = new Set(['eq', 'inq', 'nin'])
const objectId = /^[\da-f]{24}$/i

/** LB3: texts that could be ids are stored as ids, and tests of equality alone look for such; mongodb.js, isObjectIDProperty. */
function isOfObjectIds({ test, property }: Place, { id }: Dialect): boolean {
  if (asIs.has(test.operator)) return false
  const operands: readonly unknown[] = Array.isArray(test.value) ? test.value : [test.value]
  return property === id || operands.some((value) => typeof value === 'string' && objectId.test(value))
}

function pushEqual({ test: { operator, value }, property, fit, absent }: Place): Pushed {
  const isEqual = operator === 'eq'
  if (isAbsent(value)) return exactly({ [property]: isEqual ? absent : { neq: null } })
  if (!fit(value)) return unsaid
  return exactly(isEqual ? { [property]: value } : either(property, { neq: value }, absent))
}

const either = (property: string, test: Where, other: unknown): Where => ({
  or: [{ [property]: test }, { [property]: other }]
})

function pushAmong({ test: { operator, value }, property, fit, absent }: Place): Pushed {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const values = list.filter((item) => !isAbsent(item))
  if (!values.every(fit)) return unsaid
  const hasAbsent = values.length < list.length
  if (operator === 'inq') return pushIn(property, values, hasAbsent ? absent : undefined)
  if (values.length === 0) return hasAbsent ? exactly({ [property]: { neq: null } }) : everything
  const others = { nin: values }
  return exactly(
    hasAbsent ? { and: [{ [property]: others }, { [property]: { neq: null } }] } : either(property, others, absent)
  )
}

function pushIn(property: string, values: readonly unknown[], absent: unknown): Pushed {
  if (values.length === 0) return absent === undefined ? nothing : exactly({ [property]: absent })
  return exactly(absent === undefined ? { [property]: { inq: values } } : either(property, { inq: values }, absent))
}

function pushOrder({ test: { operator, value }, property, fit, absent }: Place): Pushed {
  // LB3: what is absent is at least, and at most, null.
  if (isAbsent(value)) return operator === 'gt' || operator === 'lt' ? nothing : exactly({ [property]: absent })
  return fit(value) ? exactly({ [property]: { [operator]: value } }) : unsaid
}

function pushBetween({ test: { value }, property, fit }: Place): Pushed {
  return Array.isArray(value) && value.every(fit) ? exactly({ [property]: { between: value } }) : unsaid
}

const knowsCase: ReadonlySet<string> = new Set(['postgresql'])
const knowsBackslash: ReadonlySet<string> = new Set(['postgresql', 'mysql'])

function pushLike({ test, property, fit, absent }: Place, { connector, likeAnywhere }: Dialect): Pushed {
  if (!('like' in test)) return unsaid
  const { operator, like } = test
  if (like === '') return nothing
  if (test.type?.kind !== 'string' || !fit(like)) return unsaid
  const ignoresCase = operator === 'ilike' || operator === 'nilike'
  if (ignoresCase && !knowsCase.has(connector)) return unsaid
  if (like.includes('\\') && (!knowsBackslash.has(connector) || !/^(?:[^\\]|\\[%_\\])*$/.test(like))) return unsaid
  const written = { [operator]: likeAnywhere ? `%${like}%` : like }
  const isNegated = operator === 'nlike' || operator === 'nilike'
  return exactly(isNegated ? either(property, written, absent) : { [property]: written })
}
