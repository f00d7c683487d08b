import type { Comparison } from '@modelwire/core'
import type { JsonItems, SqlDialect, Subject } from '../dialect.ts'
import { allOf, anyOf, isNotTrue, type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { matchesNothing } from './matches-nothing.ts'
import { opposites, testColumn } from './test-column.ts'

/**
 * Tests what a path leads to in a JSON document. A list satisfies a comparison when one of its items does, for `neq` and
 * `nin` too; an empty list satisfies `neq` alone.
 */
export function testJson(dialect: SqlDialect, column: Column, path: readonly string[], comparison: Comparison): Sql {
  const items = dialect.jsonItems(column, path)
  const opposite = opposites[comparison.operator]
  // The table of opposites leads to an operator with an operand of the same form.
  const sought = opposite === undefined ? comparison : ({ ...comparison, operator: opposite } as Comparison)
  const test = testItem(dialect, items, sought)
  const conditions = [someItem(items, opposite === undefined ? test : isNotTrue(test))]
  if (matchesNothing(comparison)) conditions.push(isNotTrue(items.found))
  if (comparison.operator === 'neq') conditions.push(allOf([items.found, isNotTrue(someItem(items))]))
  return anyOf(conditions)
}

function someItem({ rows }: JsonItems, test?: Sql): Sql {
  return test === undefined ? sql`exists (select 1 from ${rows})` : sql`exists (select 1 from ${rows} where ${test})`
}

type SoughtTest = (dialect: SqlDialect, items: JsonItems, comparison: Comparison) => Sql

/** True for an item that satisfies the comparison; an item that is null satisfies what an absent value does. */
const testItem: SoughtTest = (dialect, items, comparison) => {
  const test = itemTests[comparison.operator] ?? testScalar
  const tested = test(dialect, items, comparison)
  return matchesNothing(comparison) ? anyOf([tested, sql`${items.type} = 'null'`]) : tested
}

/** Compares with one operand, in the way its own type asks for. */
const testScalar: SoughtTest = (dialect, items, comparison) => {
  const readings = readingsOf(items, comparison.value)
  const tests = readings.map(({ subject, operand, when }) => {
    // The operand is the same value in another type that the operator takes as well.
    const converted = { ...comparison, value: operand } as Comparison
    return allOf([when, testColumn(dialect, subject, converted)])
  })
  return anyOf(tests)
}

const testText: SoughtTest = (dialect, items, comparison) =>
  allOf([isScalar(items), testColumn(dialect, textOf(items), comparison)])

const itemTests: Readonly<Partial<Record<Comparison['operator'], SoughtTest>>> = {
  like: testText,
  ilike: testText,
  regexp: (dialect, items, comparison) =>
    allOf([sql`${items.type} = 'string'`, testColumn(dialect, textOf(items), comparison)]),
  between: (dialect, items, { value, ...comparison }) => {
    const bounds: readonly unknown[] = Array.isArray(value) ? value : []
    const [low, high] = bounds
    return allOf([
      testScalar(dialect, items, { ...comparison, operator: 'gte', value: low }),
      testScalar(dialect, items, { ...comparison, operator: 'lte', value: high })
    ])
  },
  inq: (dialect, items, { value, ...comparison }) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : []
    return anyOf(values.map((each) => testScalar(dialect, items, { ...comparison, operator: 'eq', value: each })))
  }
}

/** How an item is read to be compared with an operand, and for which items. */
interface Reading {
  readonly subject: Subject
  readonly operand: unknown
  readonly when: Sql
}

/** JSON knows texts, numbers and booleans; a number and a text that is one are compared as numbers. */
function readingsOf(items: JsonItems, value: unknown): readonly Reading[] {
  const number: Subject = { kind: 'number', sql: items.number, isText: false }
  if (typeof value === 'number') return [{ subject: number, operand: value, when: sql`${items.number} is not null` }]
  if (typeof value === 'boolean')
    return [{ subject: textOf(items), operand: String(value), when: sql`${items.type} = 'boolean'` }]
  const operand = value instanceof Date ? readTime(value) : value
  if (typeof operand !== 'string') return []
  const asText = { subject: textOf(items), operand, when: sql`${items.type} = 'string'` }
  const asNumber = operand.trim() === '' ? NaN : Number(operand)
  if (Number.isNaN(asNumber)) return [asText]
  return [asText, { subject: number, operand: asNumber, when: sql`${items.type} = 'number'` }]
}

function textOf(items: JsonItems): Subject {
  return { kind: 'text', sql: items.text, isText: true }
}

function isScalar(items: JsonItems): Sql {
  return sql`${items.type} in ('string', 'number', 'boolean')`
}

/** Dates stand in JSON as texts. */
function readTime(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
