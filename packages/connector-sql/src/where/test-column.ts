import {
  type Bound,
  isInclusive,
  likeText,
  type Pattern,
  perTest,
  type TestKind,
  type TestOf
} from '@modelwire/core/connector'
import type { SqlDialect, Subject } from '../dialect.ts'
import { allOf, anyOf, isNotTrue, nothing, type Sql, sql } from '../sql.ts'
import { isStorableText } from '../values/is-storable.ts'
import { fitsKind } from './fits-kind.ts'

/** The kinds of tests of one value; `near` is tested in a way of its own. */
export type ValueTestKind = Exclude<TestKind, 'near'>

/** Tests one value. A null satisfies what an absent value satisfies. */
export function testColumn(dialect: SqlDialect, subject: Subject, test: TestOf<ValueTestKind>): Sql {
  const found = tests(test, dialect, subject)
  return test.negated === true ? isNotTrue(found) : found
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
  const left = subject.isText ? dialect.byCode(subject.sql) : subject.sql
  return sql`${left} ${signs[is]} ${dialect.operand(subject.kind, value)}`
}

function matches(dialect: SqlDialect, subject: Subject, pattern: Pattern): Sql {
  if (!pattern.readsAll && subject.kind !== 'text') return nothing
  if (pattern.wildcards === undefined) return dialect.regexp(subject.sql, pattern)
  const text = likeText(pattern.wildcards, dialect.likeAnywhere)
  // Where no text has a character, no pattern with it finds one.
  if (!isStorableText(dialect, text)) return nothing
  const tested = subject.kind === 'text' && subject.isText ? subject.sql : dialect.asText(subject.sql, subject.kind)
  return dialect.like(tested, { text, ignoreCase: pattern.ignoreCase })
}

function isEqual(dialect: SqlDialect, subject: Subject, value: unknown): Sql {
  if (isNull(value)) return isAbsent(subject)
  // LB3: a list in place of a value stands for its only item; several match nothing.
  if (Array.isArray(value)) return value.length === 1 ? isEqual(dialect, subject, value[0]) : nothing
  if (!fitsKind(dialect, subject, value)) return nothing
  return sql`${subject.sql} = ${dialect.operand(subject.kind, value)}`
}

function isAmong(dialect: SqlDialect, subject: Subject, values: readonly unknown[]): Sql {
  const sought = values.filter((each) => fitsKind(dialect, subject, each))
  const conditions = sought.length === 0 ? [] : [dialect.isOneOf(subject, sought)]
  return anyOf(values.some(isNull) ? [...conditions, isAbsent(subject)] : conditions)
}

function isAbsent(subject: Subject): Sql {
  return sql`${subject.sql} is null`
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}
