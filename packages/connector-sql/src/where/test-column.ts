import {
  type Bound,
  countDigits,
  isInclusive,
  likeText,
  type Pattern,
  perTest,
  type TestKind,
  type TestOf
} from '@modelwire/core/connector'
import type { SqlDialect, Subject } from '../dialect/dialect.ts'
import { allOf, anyOf, isNotTrue, nothing, type Sql, sql } from '../sql.ts'
import { isStorableText } from '../values/decode-value.ts'
import type { ColumnKind } from '../table/column-types.ts'

const kindTests: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && !Number.isNaN(value),
  // A number with more digits than the column has equals none in it.
  decimal: (value) => typeof value === 'string' && countDigits(value) !== undefined,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  binary: (value) => value instanceof Uint8Array,
  // Objects are only equal to themselves.
  point: () => false,
  json: () => false
}

/** The kinds of tests of one value; `near` is tested separately. */
export type ValueTestKind = Exclude<TestKind, 'near'>

/** Tests one value. Null behaves like an absent value. */
export function testColumn(dialect: SqlDialect, subject: Subject, test: TestOf<ValueTestKind>): Sql {
  const found = tests(
    test,
    dialect,
    comparable(dialect, test.byCollation === true ? { ...subject, exactly: undefined } : subject)
  )
  return test.negated === true ? isNotTrue(found) : found
}

/** The string form of a value that cannot be compared itself. */
export function comparable<Compared extends Pick<Subject, 'kind' | 'type' | 'sql' | 'isText'>>(
  dialect: SqlDialect,
  subject: Compared
): Compared {
  if (subject.kind !== 'text' || subject.type?.isOpaque !== true) return subject
  return { ...subject, sql: dialect.asText(subject.sql, subject.kind), isText: true }
}

const tests = perTest<ValueTestKind, [SqlDialect, Subject], Sql>({
  equals: ({ value }, dialect, subject) => isEqual(dialect, subject, value),
  in: ({ values }, dialect, subject) => isAmong(dialect, subject, values),
  range: ({ bounds }, dialect, subject) => allOf(bounds.map((bound) => isWithin(dialect, subject, bound))),
  pattern: ({ pattern }, dialect, subject) => matches(dialect, subject, pattern)
})

const signs: Readonly<Record<Bound['is'], Sql>> = {
  '>': sql.raw('>'),
  '>=': sql.raw('>='),
  '<': sql.raw('<'),
  '<=': sql.raw('<=')
}

function isWithin(dialect: SqlDialect, subject: Subject, bound: Bound): Sql {
  const { is, value } = bound
  if (isNull(value)) return isInclusive(bound) ? isAbsent(subject) : nothing
  if (!fitsKind(dialect, subject, value)) return nothing
  const operand = dialect.operand(subject.kind, value)
  // Another order than that of the collation: its index has no part in it.
  if (subject.exactly !== undefined)
    return sql`${subject.exactly.text(subject.sql)} ${signs[is]} ${subject.exactly.text(operand)}`
  return sql`${subject.isText ? dialect.byCode(subject.sql) : subject.sql} ${signs[is]} ${operand}`
}

function matches(dialect: SqlDialect, subject: Subject, pattern: Pattern): Sql {
  if (!pattern.readsAll && subject.kind !== 'text') return nothing
  const own = subject.exactly === undefined ? subject.sql : subject.exactly.pattern(subject.sql)
  const tested = subject.kind === 'text' && subject.isText ? own : dialect.asText(own, subject.kind)
  if (pattern.wildcards === undefined) return dialect.regexp(tested, pattern)
  const text = likeText(pattern.wildcards, dialect.likeAnywhere)
  // Where no text has a character, no pattern with it finds one.
  if (!isStorableText(dialect, text)) return nothing
  return dialect.like(tested, { text, ignoreCase: pattern.ignoreCase })
}

/** Tests for equality. A second condition uses the index of the column, and only exactly equal strings pass. */
export function isEqual(dialect: SqlDialect, subject: Subject, value: unknown): Sql {
  if (isNull(value)) return isAbsent(subject)
  // LB3: a list in place of a value stands for its only item; several match nothing.
  if (Array.isArray(value)) return value.length === 1 ? isEqual(dialect, subject, value[0]) : nothing
  if (!fitsKind(dialect, subject, value)) return nothing
  const operand = dialect.operand(subject.kind, value)
  const equal = sql`${subject.sql} = ${operand}`
  const { exactly } = subject
  return exactly === undefined ? equal : allOf([equal, sql`${exactly.text(subject.sql)} = ${exactly.text(operand)}`])
}

/** Tests whether the value is one of these, none of which is null. */
export function isOneOf(dialect: SqlDialect, subject: Subject, values: readonly unknown[]): Sql {
  const { exactly, kind } = subject
  const found =
    dialect.isOneOf?.(subject, values) ??
    sql`${subject.sql} in (${sql.join(values.map((value) => dialect.operand(kind, value)))})`
  if (exactly === undefined) return found
  const operands = values.map((value) => exactly.text(dialect.operand(kind, value)))
  return allOf([found, sql`${exactly.text(subject.sql)} in (${sql.join(operands)})`])
}

/** Tests whether two columns have the same value. */
export function isSame(one: Subject, other: Subject): Sql {
  const equal = sql`${one.sql} = ${other.sql}`
  const exactly = one.exactly ?? other.exactly
  return exactly === undefined ? equal : allOf([equal, sql`${exactly.text(one.sql)} = ${exactly.text(other.sql)}`])
}

function isAmong(dialect: SqlDialect, subject: Subject, values: readonly unknown[]): Sql {
  const sought = values.filter((each) => fitsKind(dialect, subject, each))
  const conditions = sought.length === 0 ? [] : [isOneOf(dialect, subject, sought)]
  return anyOf(values.some(isNull) ? [...conditions, isAbsent(subject)] : conditions)
}

function isAbsent(subject: Subject): Sql {
  return sql`${subject.sql} is null`
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}

/** Whether a column can store the value. A value that it cannot store equals nothing in it. */
export function fitsKind(
  dialect: Pick<SqlDialect, 'holdsNul'>,
  { kind, type }: Pick<Subject, 'kind' | 'type'>,
  value: unknown
): boolean {
  if (!kindTests[kind](value)) return false
  return typeof value !== 'string' || (isStorableText(dialect, value) && type?.holds?.(value) !== false)
}
