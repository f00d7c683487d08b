import type { Comparison } from '@modelwire/core'
import type { SqlDialect, Subject } from '../dialect.ts'
import { allOf, anyOf, isNotTrue, nothing, type Sql, sql } from '../sql.ts'
import { isStorableText } from '../values/is-storable.ts'
import { fitsKind } from './fits-kind.ts'

/** The operators that are the opposite of another one, absent values included. */
export const opposites: Readonly<Partial<Record<Comparison['operator'], PositiveOperator>>> = {
  neq: 'eq',
  nin: 'inq',
  nlike: 'like',
  nilike: 'ilike'
}

/** The operators that say what is sought. */
export type PositiveOperator = Exclude<Comparison['operator'], 'neq' | 'nin' | 'nlike' | 'nilike' | 'near'>

type WriteTest = (dialect: SqlDialect, subject: Subject, comparison: Comparison) => Sql

/** Tests one value with one operator. A null satisfies what an absent value satisfies. */
export function testColumn(dialect: SqlDialect, subject: Subject, comparison: Comparison): Sql {
  const opposite = opposites[comparison.operator]
  if (opposite !== undefined) return isNotTrue(tests[opposite](dialect, subject, comparison))
  // What is left of the operators when `near`, which is told before, and the opposites are gone.
  return tests[comparison.operator as PositiveOperator](dialect, subject, comparison)
}

const compareWith =
  (operator: '<' | '<=' | '>' | '>=', nullIsEqual: boolean) =>
  (dialect: SqlDialect, subject: Subject, value: unknown): Sql => {
    if (isNull(value)) return nullIsEqual ? isAbsent(subject) : nothing
    if (!fitsKind(dialect, subject, value)) return nothing
    const left = subject.isText ? dialect.byCode(subject.sql) : subject.sql
    return sql`${left} ${sql.raw(operator)} ${dialect.operand(subject.kind, value)}`
  }

const compare = {
  gt: compareWith('>', false),
  gte: compareWith('>=', true),
  lt: compareWith('<', false),
  lte: compareWith('<=', true)
}

const testLike: WriteTest = (dialect, subject, comparison) => {
  // Where no text has a character, no pattern with it finds one.
  if (!('like' in comparison) || !isStorableText(dialect, comparison.like)) return nothing
  const text = subject.kind === 'text' && subject.isText ? subject.sql : dialect.asText(subject.sql, subject.kind)
  const sought = dialect.likeAnywhere ? `%${comparison.like}%` : comparison.like
  return dialect.like(text, { text: sought, ignoreCase: comparison.value.ignoreCase })
}

const tests: Readonly<Record<PositiveOperator, WriteTest>> = {
  eq: (dialect, subject, { value }) => isEqual(dialect, subject, value),
  gt: (dialect, subject, { value }) => compare.gt(dialect, subject, value),
  gte: (dialect, subject, { value }) => compare.gte(dialect, subject, value),
  lt: (dialect, subject, { value }) => compare.lt(dialect, subject, value),
  lte: (dialect, subject, { value }) => compare.lte(dialect, subject, value),
  between: (dialect, subject, { value }) => {
    const bounds: readonly unknown[] = Array.isArray(value) ? value : []
    const [low, high] = bounds
    return allOf([compare.gte(dialect, subject, low), compare.lte(dialect, subject, high)])
  },
  inq: isAmong,
  like: testLike,
  ilike: testLike,
  regexp: (dialect, subject, comparison) =>
    comparison.operator === 'regexp' && subject.kind === 'text'
      ? dialect.regexp(subject.sql, comparison.value)
      : nothing
}

function isEqual(dialect: SqlDialect, subject: Subject, value: unknown): Sql {
  if (isNull(value)) return isAbsent(subject)
  // LB3: a list in place of a value stands for its only item; several match nothing.
  if (Array.isArray(value)) return value.length === 1 ? isEqual(dialect, subject, value[0]) : nothing
  if (!fitsKind(dialect, subject, value)) return nothing
  return sql`${subject.sql} = ${dialect.operand(subject.kind, value)}`
}

function isAmong(dialect: SqlDialect, subject: Subject, { value }: Comparison): Sql {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
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
