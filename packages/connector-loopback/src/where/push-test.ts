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
export function pushTest(family: Family, like: LikeDialect): PushTest {
  const push = family === 'other' ? pushCautiously : pushKnown(family, like)
  return (test) => {
    const [property, ...below] = test.path
    if (property === undefined || below.length > 0 || !isPlainName(property)) return unsaid
    const fit = fits[test.type?.kind ?? '']
    return fit === undefined ? unsaid : push({ test, property, fit })
  }
}

/** How a database understands `like`. */
export interface LikeDialect {
  /** The connector's name: the databases differ in what they understand. */
  readonly connector: string
  /** It finds a part of a text. */
  readonly anywhere: boolean
}

interface Place {
  readonly test: Comparison
  readonly property: string
  readonly fit: (value: unknown) => boolean
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

const pushKnown =
  (family: Family, dialect: LikeDialect) =>
  (place: Place): Pushed => {
    const { test } = place
    if ('like' in test) return family === 'relational' ? pushLike(place, dialect) : unsaid
    if (test.operator === 'eq' || test.operator === 'neq') return pushEqual(place)
    if (test.operator === 'inq' || test.operator === 'nin') return pushAmong(place)
    if (isOrder(test.operator)) return pushOrder(place)
    return test.operator === 'between' ? pushBetween(place) : unsaid
  }

function pushEqual({ test: { operator, value }, property, fit }: Place): Pushed {
  const isEqual = operator === 'eq'
  if (isAbsent(value)) return exactly({ [property]: isEqual ? null : { neq: null } })
  if (!fit(value)) return unsaid
  return exactly(isEqual ? { [property]: value } : orAbsent(property, { neq: value }))
}

const orAbsent = (property: string, test: Where): Where => ({ or: [{ [property]: test }, { [property]: null }] })

function pushAmong({ test: { operator, value }, property, fit }: Place): Pushed {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const values = list.filter((item) => !isAbsent(item))
  if (!values.every(fit)) return unsaid
  const hasAbsent = values.length < list.length
  if (operator === 'inq') return pushIn(property, values, hasAbsent)
  if (values.length === 0) return hasAbsent ? exactly({ [property]: { neq: null } }) : everything
  const others = { nin: values }
  return exactly(
    hasAbsent ? { and: [{ [property]: others }, { [property]: { neq: null } }] } : orAbsent(property, others)
  )
}

function pushIn(property: string, values: readonly unknown[], hasAbsent: boolean): Pushed {
  if (values.length === 0) return hasAbsent ? exactly({ [property]: null }) : nothing
  return exactly(hasAbsent ? orAbsent(property, { inq: values }) : { [property]: { inq: values } })
}

function pushOrder({ test: { operator, value }, property, fit }: Place): Pushed {
  // LB3: what is absent is at least, and at most, null.
  if (isAbsent(value)) return operator === 'gt' || operator === 'lt' ? nothing : exactly({ [property]: null })
  return fit(value) ? exactly({ [property]: { [operator]: value } }) : unsaid
}

function pushBetween({ test: { value }, property, fit }: Place): Pushed {
  return Array.isArray(value) && value.every(fit) ? exactly({ [property]: { between: value } }) : unsaid
}

const knowsCase: ReadonlySet<string> = new Set(['postgresql'])
const knowsBackslash: ReadonlySet<string> = new Set(['postgresql', 'mysql'])

function pushLike({ test, property, fit }: Place, { connector, anywhere }: LikeDialect): Pushed {
  if (!('like' in test)) return unsaid
  const { operator, like } = test
  if (like === '') return nothing
  if (test.type?.kind !== 'string' || !fit(like)) return unsaid
  const ignoresCase = operator === 'ilike' || operator === 'nilike'
  if (ignoresCase && !knowsCase.has(connector)) return unsaid
  if (like.includes('\\') && (!knowsBackslash.has(connector) || !/^(?:[^\\]|\\[%_\\])*$/.test(like))) return unsaid
  const written = { [operator]: anywhere ? `%${like}%` : like }
  const isNegated = operator === 'nlike' || operator === 'nilike'
  return exactly(isNegated ? orAbsent(property, written) : { [property]: written })
}
