import {
  type Condition,
  type Comparison,
  perTest,
  type TestKind,
  type TestOf,
  wildcardPattern
} from '@modelwire/core/connector'

/** False for strings that databases cannot store: with U+0000, or lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A LoopBack `where`. */
export type Where = Readonly<Record<string, unknown>>

/**
 * The part of a condition that is sent to a connector. It finds all records that match, and with `isExact` no others; the
 * caller filters out the rest.
 */
export type Pushed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'all'; readonly isExact: boolean }
  | { readonly kind: 'some'; readonly where: Where; readonly isExact: boolean }

/** Translates one test for a family of connectors. */
export type PushTest = (test: Comparison) => Pushed

/** Matches every record. */
export const everything: Pushed = { kind: 'all', isExact: true }

/** Matches every record, of which only some satisfy the condition. */
export const matchAll: Pushed = { kind: 'all', isExact: false }

/** Matches no record. */
export const nothing: Pushed = { kind: 'nothing' }

/** Matches exactly the records of a `where`. */
export const exactly = (where: Where): Pushed => ({ kind: 'some', where, isExact: true })

const isOfOneValue = ({ type }: Comparison): boolean =>
  type !== undefined && type.kind !== 'array' && type.kind !== 'any'

const negateTest = perTest<TestKind, [], Condition | undefined>({
  equals: (test) => ({ ...test, negated: test.negated !== true }),
  in: (test) => ({ ...test, negated: test.negated !== true }),
  pattern: (test) => ({ ...test, negated: test.negated !== true }),
  range: ({ bounds, ...test }) => {
    if (bounds.some(({ value }) => (value ?? null) === null)) return undefined
    const outside = bounds.map(({ is, value }): Condition => ({ ...test, bounds: [{ is: opposites[is], value }] }))
    const absent: Condition = { kind: 'test', path: test.path, type: test.type, test: 'equals', value: null }
    return { kind: 'or', conditions: [...outside, absent] }
  },
  near: () => undefined
})

const opposites = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' } as const

/** The part of a condition that is sent to a connector: the tests that its family understands. */
export function pushCondition(condition: Condition | undefined, test: PushTest): Pushed {
  if (condition === undefined) return everything
  if (condition.kind === 'test') return test(condition)
  if (condition.kind === 'never') return nothing
  // Only connectors that relate models get it, and this one does not.
  if (condition.kind === 'related') return matchAll
  if (condition.kind === 'nor') {
    const negated = condition.conditions.map(negate)
    return negated.includes(undefined) ? matchAll : pushAll(negated.filter(isCondition), test)
  }
  return condition.kind === 'and' ? pushAll(condition.conditions, test) : pushAny(condition.conditions, test)
}

const isCondition = (condition: Condition | undefined): condition is Condition => condition !== undefined

function pushAll(conditions: readonly Condition[], test: PushTest): Pushed {
  const parts = conditions.map((condition) => pushCondition(condition, test))
  if (parts.some(({ kind }) => kind === 'nothing')) return nothing
  const isExact = parts.every((part) => part.kind !== 'nothing' && part.isExact)
  const wheres = parts.flatMap((part) => (part.kind === 'some' ? [part.where] : []))
  const [first, ...rest] = wheres
  if (first === undefined) return { kind: 'all', isExact }
  return { kind: 'some', where: rest.length === 0 ? first : { and: wheres }, isExact }
}

function pushAny(conditions: readonly Condition[], test: PushTest): Pushed {
  const parts = conditions.map((condition) => pushCondition(condition, test)).filter((part) => part.kind !== 'nothing')
  if (parts.length === 0) return nothing
  // A part that may match every record makes the others irrelevant.
  const whole = parts.filter(({ kind }) => kind === 'all')
  if (whole.length > 0) return { kind: 'all', isExact: whole.some(({ isExact }) => isExact) }
  const wheres = parts.flatMap((part) => (part.kind === 'some' ? [part.where] : []))
  const isExact = parts.every((part) => part.isExact)
  const [first, ...rest] = wheres
  if (first === undefined) return nothing
  return { kind: 'some', where: rest.length === 0 ? first : { or: wheres }, isExact }
}

/**
 * The condition that matches exactly the other records; undefined where there is none. Lists are tested item by item.
 */
function negate(condition: Condition): Condition | undefined {
  if (condition.kind === 'never') return { kind: 'and', conditions: [] }
  if (condition.kind === 'related') return undefined
  if (condition.kind === 'test') return isOfOneValue(condition) ? negateTest(condition) : undefined
  if (condition.kind === 'nor') return { kind: 'or', conditions: condition.conditions }
  const negated = condition.conditions.map(negate)
  if (negated.includes(undefined)) return undefined
  const conditions = negated.flatMap((each) => (each === undefined ? [] : [each]))
  return { kind: condition.kind === 'and' ? 'or' : 'and', conditions }
}

/**
 * The condition with every `like` as in SQL: only `%` and `_` are special, and it matches the whole string, or with
 * `anywhere` a substring. Tests in this process then find what the database would.
 */
export function sqlPatterns(condition: Condition, anywhere: boolean): Condition {
  if (condition.kind === 'test') return condition.test === 'pattern' ? sqlPattern(condition, anywhere) : condition
  if (condition.kind === 'never' || condition.kind === 'related') return condition
  return { ...condition, conditions: condition.conditions.map((part) => sqlPatterns(part, anywhere)) }
}

function sqlPattern(test: TestOf<'pattern'>, anywhere: boolean): Condition {
  const { wildcards, ignoreCase, readsAll } = test.pattern
  if (wildcards?.anchor !== 'connector') return test
  const anchored = { ...wildcards, anchor: anywhere ? 'none' : 'whole' } as const
  return { ...test, pattern: wildcardPattern(anchored, { ignoreCase, readsAll }) }
}
