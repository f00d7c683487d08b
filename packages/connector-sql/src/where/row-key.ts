import { type Condition, hasKey, type Id, isComposite, keyTextOf, type Row } from '@modelwire/core/connector'
import type { Sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { compileCondition, type WhereContext } from './compile-condition.ts'
import { fitsKind, isEqual } from './test-column.ts'

/** The id of a row; undefined if it, or a part of it, is missing. */
export function idOf({ model, id }: SqlTable, row: Readonly<Row>): unknown {
  return isComposite(model) ? keyTextOf(model, row) : id && (row[id.property.name] ?? undefined)
}

/** The condition on the row with this id; undefined if no row can have it. */
export function isRowWith(context: WhereContext, id: Id): Sql | undefined {
  const { dialect, table } = context
  if (isComposite(table.model)) return isRow(context, id)
  return table.id !== undefined && fitsKind(dialect, table.id, id) ? isRow(context, id) : undefined
}

/** The same for the id of a row that is written. */
export function isRow(context: WhereContext, id: unknown): Sql {
  const { dialect, table } = context
  if (table.id !== undefined) return isEqual(dialect, table.id, id)
  return compileCondition(context, hasKey(table.model, id))
}

type Equality = Extract<Condition, { readonly kind: 'test'; readonly test: 'equals' }>

/** The tests of a condition that name the whole id of one row; undefined if it may match rows with several ids. */
export function keyTests({ key }: SqlTable, where: Condition | undefined): readonly Equality[] | undefined {
  if (where === undefined || key.length === 0) return undefined
  const tests = equalitiesIn(where)
  const own = key.flatMap(({ property }) => tests.find(({ path: [name] }) => name === property.name) ?? [])
  return own.length === key.length ? own : undefined
}

function equalitiesIn(where: Condition): readonly Equality[] {
  if (where.kind === 'and') return where.conditions.flatMap(equalitiesIn)
  const isOne = where.kind === 'test' && where.test === 'equals' && where.negated !== true && where.path.length === 1
  return isOne ? [where] : []
}

/** Writes the row that a condition names by its id as SQL; undefined if it may match several. */
export function onlyRowIn(context: WhereContext, where: Condition | undefined): (() => Sql) | undefined {
  const tests = keyTests(context.table, where)
  if (tests?.every(isExact) !== true) return undefined
  return () => compileCondition(context, { kind: 'and', conditions: tests })
}

const isExact = ({ byCollation, value }: Equality): boolean =>
  byCollation !== true && (value ?? undefined) !== undefined
