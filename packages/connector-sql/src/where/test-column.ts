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
import { fitOf } from '../table/column-fit.ts'

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
  const found = tests(test, dialect, test.byCollation === true ? { ...subject, exactly: undefined } : subject)
  return test.negated === true ? isNotTrue(found) : found
}

/** What of a subject decides how it is compared. */
type Compared = Pick<Subject, 'kind' | 'type' | 'sql' | 'isText' | 'exactly'>

/** The strings of the values, in the form that properties get. */
export function stringsOf<Own extends Compared>(dialect: SqlDialect, subject: Own): Own {
  const { type, sql: own, kind } = subject
  const text = type?.isText === true ? own : (type?.text?.(own) ?? dialect.asText(own, kind))
  return {
    ...subject,
    sql: text,
    isText: true,
    type: undefined,
    ...(dialect.castsWidely === true && { exactly: dialect.exactText })
  }
}

/** The values in the form that orders, groups and measures need; undefined if they have none. */
export function ordered<Own extends Compared>(dialect: SqlDialect, subject: Own): Own | undefined {
  if (subject.type === undefined) return subject
  const { ordered: how } = fitOf(subject.type, subject.kind)
  if (how === 'text') return stringsOf(dialect, subject)
  if (how === 'cast') return cast(subject)
  return how === 'native' ? subject : undefined
}

/** The values in the form of their kind. */
function cast<Own extends Compared>(subject: Own): Own {
  const { kind, type, sql: own } = subject
  return { ...subject, sql: type?.comparedAs?.[kind]?.(own) ?? own, type: undefined }
}

/** The subject in the form in which it is compared with a value; undefined if nothing can be equal. */
function comparedWith(dialect: SqlDialect, subject: Subject, value: unknown, isRange = false): Subject | undefined {
  const { type, kind } = subject
  if (type === undefined) return subject
  const fit = fitOf(type, kind)
  const how = isRange ? fit.ordered : fit.compared
  if (how === false) return undefined
  if (how === 'cast') return cast(subject)
  const isOwn = kind !== 'text' || type.isText === true || type.comparesAny === true || isOwnForm(subject, value)
  return how === 'native' && isOwn ? subject : stringsOf(dialect, subject)
}

const isOwnForm = ({ type }: Pick<Subject, 'type'>, value: unknown): boolean =>
  typeof value === 'string' && type?.isOwnForm?.(value) === true

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

function isWithin(dialect: SqlDialect, own: Subject, bound: Bound): Sql {
  const { is, value } = bound
  if (isNull(value)) return isInclusive(bound) ? isAbsent(own) : nothing
  const subject = isOfKind(dialect, own, value) ? comparedWith(dialect, own, value, true) : undefined
  if (subject === undefined) return nothing
  const operand = operandOf(dialect, subject, value)
  // Another order than that of the collation: its index has no part in it.
  const exactly = subject.exactly ?? (lacksCharacters(subject, value) ? dialect.exactText : undefined)
  if (exactly !== undefined) return sql`${exactly.text(subject.sql)} ${signs[is]} ${exactly.text(operand)}`
  const compared = sql`${subject.isText ? dialect.byCode(subject.sql) : subject.sql} ${signs[is]} ${operand}`
  return allOf([compared, ...isPresent(subject, is)])
}

/** True for a string with characters that the column's character set lacks. */
const lacksCharacters = ({ isText, type }: Pick<Subject, 'isText' | 'type'>, value: unknown): boolean =>
  isText && typeof value === 'string' && type?.holds?.(value) === false

function matches(dialect: SqlDialect, subject: Subject, pattern: Pattern): Sql {
  const isString = subject.kind === 'text' || subject.kind === 'decimal'
  if (!pattern.readsAll && !isString) return nothing
  if (subject.type !== undefined && !fitOf(subject.type, subject.kind).matched) return nothing
  const exactly = subject.exactly ?? (lacksCharacters(subject, pattern.source) ? dialect.exactText : undefined)
  const own = exactly === undefined ? subject.sql : exactly.pattern(subject.sql)
  const isOwn = subject.kind === 'text' && subject.isText
  const tested = isOwn ? own : stringsOf(dialect, { ...subject, sql: own }).sql
  if (pattern.wildcards === undefined) return dialect.regexp(tested, pattern)
  const text = likeText(pattern.wildcards, dialect.likeAnywhere)
  // Where no text has a character, no pattern with it finds one.
  if (!isStorableText(dialect, text)) return nothing
  return dialect.like(tested, { text, ignoreCase: pattern.ignoreCase })
}

const operandOf = (dialect: SqlDialect, subject: Pick<Subject, 'kind' | 'type'>, value: unknown): Sql =>
  dialect.operand(subject.kind, comparedValue(subject, value))

function comparedValue({ kind, type }: Pick<Subject, 'kind' | 'type'>, value: unknown): unknown {
  return kind === 'date' && type?.datesAsText === true && value instanceof Date ? value.toISOString() : value
}

/** Tests for equality. A second condition uses the index of the column, and only exactly equal strings pass. */
export function isEqual(dialect: SqlDialect, own: Subject, value: unknown): Sql {
  if (isNull(value)) return isAbsent(own)
  // LB3: a list in place of a value stands for its only item; several match nothing.
  if (Array.isArray(value)) return value.length === 1 ? isEqual(dialect, own, value[0]) : nothing
  const subject = fitsKind(dialect, own, value) ? comparedWith(dialect, own, value) : undefined
  if (subject === undefined) return nothing
  const operand = operandOf(dialect, subject, value)
  const equal = sql`${subject.sql} = ${operand}`
  const { exactly } = subject
  return exactly === undefined ? equal : allOf([equal, sql`${exactly.text(subject.sql)} = ${exactly.text(operand)}`])
}

/** Tests whether the value is one of these, none of which is null. */
export function isOneOf(dialect: SqlDialect, own: Subject, values: readonly unknown[]): Sql {
  const isStrings = own.kind === 'text' && own.type?.isText !== true && own.type?.isOwnForm !== undefined
  const parts = isStrings
    ? [values.filter((each) => isOwnForm(own, each)), values.filter((each) => !isOwnForm(own, each))]
    : [values]
  return anyOf(
    parts.flatMap((part) => {
      const subject = part.length === 0 ? undefined : comparedWith(dialect, own, part[0])
      return subject === undefined ? [] : [isAmongOperands(dialect, subject, part)]
    })
  )
}

function isAmongOperands(dialect: SqlDialect, subject: Subject, values: readonly unknown[]): Sql {
  const { exactly } = subject
  const compared = values.map((value) => comparedValue(subject, value))
  const found =
    dialect.isOneOf?.(subject, compared) ??
    sql`${subject.sql} in (${sql.join(values.map((value) => operandOf(dialect, subject, value)))})`
  if (exactly === undefined) return found
  const operands = values.map((value) => exactly.text(operandOf(dialect, subject, value)))
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
  const { kind, type } = subject
  const isCast = type !== undefined && fitOf(type, kind).compared === 'cast'
  const value = isCast ? cast(subject).sql : subject.sql
  const absent = kind === 'date' ? type?.absent?.(value) : undefined
  return absent === undefined ? sql`${value} is null` : sql`(${value} is null or ${absent})`
}

/** What is read as null is below nothing. */
function isPresent({ sql: value, kind, type }: Subject, is: Bound['is']): readonly Sql[] {
  const absent = kind === 'date' && is.startsWith('<') ? type?.absent?.(value) : undefined
  return absent === undefined ? [] : [sql`not (${absent})`]
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}

/** Whether a column can store the value. A value that it cannot store equals nothing in it. */
export function fitsKind(
  dialect: Pick<SqlDialect, 'holdsNul'>,
  subject: Pick<Subject, 'kind' | 'type'>,
  value: unknown
): boolean {
  return isOfKind(dialect, subject, value) && (typeof value !== 'string' || subject.type?.holds?.(value) !== false)
}

/** Whether the value can be compared with those of the column. */
function isOfKind(dialect: Pick<SqlDialect, 'holdsNul'>, { kind }: Pick<Subject, 'kind'>, value: unknown): boolean {
  return kindTests[kind](value) && (typeof value !== 'string' || isStorableText(dialect, value))
}
