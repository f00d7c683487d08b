import {
  type Bound,
  type Comparison,
  isInclusive,
  likeText,
  perTest,
  type TestKind,
  type TestOf
} from '@modelwire/core/connector'
import type { Family } from '../family.ts'
import {
  isStorable,
  everything,
  exactly,
  nothing,
  type Pushed,
  type PushTest,
  matchAll,
  type Where
} from './push-condition.ts'

/** Names that no connector reads as anything but a property. */
const plainName = /^[A-Za-z_]\w*$/
const reserved: ReadonlySet<string> = new Set(['and', 'or', 'nor', 'constructor', 'prototype', '__proto__'])

/** True for property names that may be sent to a connector. */
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
 * Makes the function that translates one test for a connector. It handles declared, single-valued properties; everything
 * else is tested in this process.
 */
export function pushTest(family: Family, dialect: Dialect): PushTest {
  const push = pushes[family](dialect)
  // LB3: MongoDB's connector looks for null alone where null is queried.
  const absent = family === 'mongodb' ? { inq: [null] } : null
  return (test) => {
    const [property, ...below] = test.path
    if (property === undefined || below.length > 0 || !isPlainName(property)) return matchAll
    const fit = fits[test.type?.kind ?? '']
    if (fit === undefined) return matchAll
    const pushed = push(test, { property, fit, absent })
    return family !== 'other' && needsCharacters(test, family) ? withinDatabase(test, pushed) : pushed
  }
}

/** The server added the test, and only the same characters are equal: what the database takes for equal is not known. */
const needsCharacters = (test: Comparison, family: Family): boolean =>
  test.byCollation !== true &&
  (test.test === 'pattern' || operandsOf(test).some((value) => typeof value === 'string')) &&
  !(family === 'mongodb' && operandsOf(test).every(isObjectId))

/** Of what the database finds only what has the same characters matches; where it may find too little, all records are tested. */
function withinDatabase(test: Comparison, pushed: Pushed): Pushed {
  const mayMiss = test.test === 'range' || test.negated === true
  if (pushed.kind === 'nothing') return pushed
  return mayMiss ? matchAll : { ...pushed, isExact: false }
}

/** How to query a particular database. */
export interface Dialect {
  /** The connector's name: the databases support different features. */
  readonly connector: string
  /** `like` matches substrings. */
  readonly likeAnywhere: boolean
  /** The name of the id property. */
  readonly id: string | undefined
}

interface Place {
  readonly property: string
  readonly fit: (value: unknown) => boolean
  /** The value that matches null and absent values. */
  readonly absent: unknown
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

type Push = (test: Comparison, place: Place) => Pushed

/**
 * Of a connector that nothing is known of: what every one takes for the same. It may find too much, which is noticed, and text is
 * not compared by it.
 */
const pushCautiously = perTest<TestKind, [Place], Pushed>({
  equals: ({ value, negated }, { property, fit }) =>
    negated !== true && fit(value) ? exactly({ [property]: value }) : matchAll,
  range: (test, place) =>
    test.type?.kind === 'string' || test.bounds.length > 1 ? matchAll : pushRange(test, place, false),
  in: () => matchAll,
  pattern: () => matchAll,
  near: () => matchAll
})

/** What LoopBack calls the ends of ranges. */
const orders: Readonly<Record<Bound['is'], string>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' }

const pushSimple = perTest<TestKind, [Place], Pushed>({
  equals: pushEqual,
  in: pushAmong,
  range: (test, place) => pushRange(test, place, true),
  pattern: () => matchAll,
  near: () => matchAll
})

const pushes: Readonly<Record<Family, (dialect: Dialect) => Push>> = {
  relational: (dialect) => (test, place) =>
    test.test === 'pattern' ? pushPattern(test, place, dialect) : pushSimple(test, place),
  mongodb: (dialect) => (test, place) => (isOfObjectIds(test, place, dialect) ? matchAll : pushSimple(test, place)),
  other: () => pushCautiously
}

const objectId = /^[\da-f]{24}$/i
const isObjectId = (value: unknown): boolean => typeof value === 'string' && objectId.test(value)

const operandsOf = perTest<TestKind, [], readonly unknown[]>({
  equals: ({ value }) => [value],
  in: ({ values }) => values,
  range: ({ bounds }) => bounds.map(({ value }) => value),
  pattern: () => [],
  near: () => []
})

/** LB3: texts that could be ids are stored as ids, and tests of equality alone look for such; mongodb.js, isObjectIDProperty. */
function isOfObjectIds(test: Comparison, { property }: Place, { id }: Dialect): boolean {
  if (test.test === 'in' || (test.test === 'equals' && test.negated !== true)) return false
  return property === id || operandsOf(test).some(isObjectId)
}

function pushEqual({ value, negated }: TestOf<'equals'>, { property, fit, absent }: Place): Pushed {
  if (isAbsent(value)) return exactly({ [property]: negated === true ? { neq: null } : absent })
  if (!fit(value)) return matchAll
  return exactly(negated === true ? either(property, { neq: value }, absent) : { [property]: value })
}

const either = (property: string, test: Where, other: unknown): Where => ({
  or: [{ [property]: test }, { [property]: other }]
})

function pushAmong({ values: list, negated }: TestOf<'in'>, { property, fit, absent }: Place): Pushed {
  const values = list.filter((item) => !isAbsent(item))
  if (!values.every(fit)) return matchAll
  const hasAbsent = values.length < list.length
  if (negated !== true) return pushIn(property, values, hasAbsent ? absent : undefined)
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

/** @param knowsNull LB3: what is absent is at least, and at most, null */
function pushRange({ bounds }: TestOf<'range'>, { property, fit, absent }: Place, knowsNull: boolean): Pushed {
  const [first, second] = bounds
  if (second === undefined && isAbsent(first.value) && knowsNull)
    return isInclusive(first) ? exactly({ [property]: absent }) : nothing
  if (!bounds.every(({ value }) => fit(value))) return matchAll
  if (second === undefined) return exactly({ [property]: { [orders[first.is]]: first.value } })
  const isBetween = first.is === '>=' && second.is === '<='
  return isBetween ? exactly({ [property]: { between: [first.value, second.value] } }) : matchAll
}

const knowsCase: ReadonlySet<string> = new Set(['postgresql'])
const knowsBackslash: ReadonlySet<string> = new Set(['postgresql', 'mysql'])

function pushPattern(
  { type, pattern, negated }: TestOf<'pattern'>,
  { property, fit, absent }: Place,
  { connector, likeAnywhere }: Dialect
): Pushed {
  const { wildcards, ignoreCase } = pattern
  if (wildcards === undefined || type?.kind !== 'string') return matchAll
  const like = likeText(wildcards, likeAnywhere)
  if (!fit(like) || (ignoreCase && !knowsCase.has(connector))) return matchAll
  if (like.includes('\\') && !knowsBackslash.has(connector)) return matchAll
  // Where the anchor is not the connector's own, its `like` may still find other texts: it may ignore case.
  const isExact = wildcards.anchor === 'connector' || knowsCase.has(connector)
  if (negated !== true)
    return { kind: 'some', where: { [property]: { [ignoreCase ? 'ilike' : 'like']: like } }, isExact }
  return isExact ? exactly(either(property, { [ignoreCase ? 'nilike' : 'nlike']: like }, absent)) : matchAll
}
