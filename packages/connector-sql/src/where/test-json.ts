import { perTest, type TestOf } from '@modelwire/core/connector'
import type { JsonItems, SqlDialect, Subject } from '../dialect/dialect.ts'
import { allOf, anyOf, isNotTrue, type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { matchesNothing } from './matches-nothing.ts'
import { testColumn, type ValueTestKind } from './test-column.ts'

/** A step of a path into JSON: a property, or an item of a list. */
export type JsonStep = { readonly index: number } | { readonly key: string }

/** The state of a path so far: the tables that were joined on the way, and the JSON at its end. */
export interface JsonPlace {
  readonly rows: readonly Sql[]
  readonly json: Sql
}

type ValueTest = TestOf<ValueTestKind>

/**
 * Tests the value at a path in a JSON document. A list satisfies a comparison if one of its items does, even a negated one;
 * an empty list only satisfies a negated `equals`.
 */
export function testJson(dialect: SqlDialect, column: Column, path: readonly string[], comparison: ValueTest): Sql {
  const items = dialect.json.items(column, path)
  const { negated = false } = comparison
  // No column has the collation of what lies in JSON.
  const { byCollation: _byCollation, ...own } = comparison
  const test = testItem(dialect, items, { ...own, negated: undefined })
  const conditions = [someItem(items, negated ? isNotTrue(test) : test)]
  if (matchesNothing(comparison)) conditions.push(isNotTrue(items.found))
  if (negated && comparison.test === 'equals') conditions.push(allOf([items.found, isNotTrue(someItem(items))]))
  return anyOf(conditions)
}

function someItem({ rows }: JsonItems, test?: Sql): Sql {
  return test === undefined ? sql`exists (select 1 from ${rows})` : sql`exists (select 1 from ${rows} where ${test})`
}

/** True for an item that satisfies the test; an item that is null satisfies what an absent value does. */
function testItem(dialect: SqlDialect, items: JsonItems, test: ValueTest): Sql {
  const tested = itemTests(test, dialect, items)
  return matchesNothing(test) ? anyOf([tested, sql`${items.type} = 'null'`]) : tested
}

const itemTests = perTest<ValueTestKind, [SqlDialect, JsonItems], Sql>({
  equals: (test, dialect, items) => testScalar(dialect, items, test.value, (value) => ({ ...test, value })),
  in: ({ values, ...test }, dialect, items) =>
    anyOf(values.map((each) => testScalar(dialect, items, each, (value) => ({ ...test, test: 'equals', value })))),
  range: ({ bounds, ...test }, dialect, items) =>
    allOf(
      bounds.map(({ is, value: bound }) =>
        testScalar(dialect, items, bound, (value) => ({ ...test, bounds: [{ is, value }] }))
      )
    ),
  pattern: (test, dialect, items) =>
    allOf([
      test.pattern.readsAll ? isScalar(items) : sql`${items.type} = 'string'`,
      testColumn(dialect, textOf(items), test)
    ])
})

/** Compares with one operand, by the operand's own type. */
function testScalar(
  dialect: SqlDialect,
  items: JsonItems,
  sought: unknown,
  testOf: (operand: unknown) => ValueTest
): Sql {
  const readings = readingsOf(items, sought)
  return anyOf(
    readings.map(({ subject, operand, when }) => allOf([when, testColumn(dialect, subject, testOf(operand))]))
  )
}

/** How an item is read to be compared with an operand, and which items it applies to. */
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
  return { kind: 'text', sql: items.text, isText: true, exactly: items.exactly }
}

function isScalar(items: JsonItems): Sql {
  return sql`${items.type} in ('string', 'number', 'boolean')`
}

/** Dates stand in JSON as texts. */
function readTime(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** The steps of a path into a column. An integer refers to an item of a list, unless it is the name of a property. */
export function jsonSteps({ declared }: Pick<Column, 'declared'>, path: readonly string[]): readonly JsonStep[] {
  return path.map((step, at) => {
    const isName = declared !== undefined && at === 0
    return !isName && /^(?:0|[1-9]\d{0,8})$/.test(step) ? { index: Number(step) } : { key: step }
  })
}

/** The step in JSON path notation: `."name"` or `[0]`. */
export function writeStep(step: JsonStep): string {
  return 'index' in step ? `[${step.index}]` : `.${JSON.stringify(step.key)}`
}

/** The condition that a value exists. */
export function isFound({ rows, json }: JsonPlace): Sql {
  return rows.length === 0
    ? sql`${json} is not null`
    : sql`exists (select 1 from ${sql.join(rows)} where ${json} is not null)`
}
