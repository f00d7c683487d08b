import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ModelCheck } from '@modelwire/core/connector'
import { allOf, anyOf, type Sql, sql } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { fitName } from '../table/fit-name.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { SqlDialect } from './dialect.ts'

type Condition = ModelCheck['condition']
type Compared = Extract<Condition, { readonly kind: 'compare' | 'test' }>

/** A check of a model as a constraint of its table. */
export interface TableCheck {
  readonly check: ModelCheck
  /** Names the table and the check, and ends with a hash of the condition: a constraint of this name has this condition. */
  readonly name: string
  readonly condition: Sql
}

const comparable: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date'])

/**
 * The checks that the database can make, and why it cannot make others.
 * @param siblings the same table as other models map it, whose records a constraint would hold as well
 */
export function checksOf(
  dialect: SqlDialect,
  table: SqlTable,
  siblings: readonly SqlTable[] = []
): { readonly checks: readonly TableCheck[]; readonly notes: readonly string[] } {
  const [checks, notes]: [TableCheck[], string[]] = [[], []]
  for (const check of table.model.checks) {
    const condition = siblings.every((each) => hasCheck(each, check))
      ? compile(dialect, table, check.condition)
      : 'other models of the table lack it'
    if (typeof condition === 'string') {
      notes.push(
        `the check ${check.name} of ${table.model.name} is not made a constraint of ${table.name}: ${condition}`
      )
      continue
    }
    checks.push({ check, name: `${baseName(dialect, table, check)}${hashOf(check)}`, condition })
  }
  return { checks, notes }
}

const hasCheck = ({ model }: SqlTable, { name, condition }: ModelCheck): boolean =>
  model.checks.some((each) => each.name === name && isDeepStrictEqual(each.condition, condition))

const hashOf = ({ condition }: ModelCheck): string =>
  createHash('sha256').update(JSON.stringify(condition)).digest('hex').slice(0, hashLength)

/** How many characters of the hash a name ends with. */
const hashLength = 8

/** The name of a constraint but for the hash of its condition. */
function baseName({ longestName }: Pick<SqlDialect, 'longestName'>, table: SqlTable, { name }: ModelCheck): string {
  const rest = longestName && { ...longestName, length: longestName.length - hashLength - 1 }
  return `${fitName(rest === undefined ? {} : { longestName: rest }, `${table.name}_${name}`)}_`
}

/** True for the name of a constraint that this check had with another condition. */
export function isFormerName(dialect: SqlDialect, table: SqlTable, check: ModelCheck, name: string): boolean {
  const { fold } = dialect.schema.names
  const start = fold(baseName(dialect, table, check))
  const [folded, end] = [fold(name), name.slice(start.length)]
  return folded.startsWith(start) && /^[0-9a-f]{8}$/.test(end) && end !== hashOf(check)
}

/** The condition as SQL; a string says why there is none. */
function compile(dialect: SqlDialect, table: SqlTable, condition: Condition): Sql | string {
  if (condition.kind === 'and' || condition.kind === 'or') {
    const parts = condition.conditions.map((each) => compile(dialect, table, each))
    const compiled = parts.filter((part) => typeof part !== 'string')
    const join = condition.kind === 'and' ? allOf : anyOf
    return parts.find((part) => typeof part === 'string') ?? join(compiled)
  }
  const column = table.byProperty.get(condition.property)
  if (column === undefined) return `${condition.property} has no column`
  if (condition.kind !== 'absent') return compileCompared(dialect, table, column, condition)
  return condition.negated ? sql`${column.sql} is not null` : sql`${column.sql} is null`
}

function compileCompared(dialect: SqlDialect, table: SqlTable, column: Column, condition: Compared): Sql | string {
  const { is } = condition
  if (!comparable.has(column.kind)) return `${column.name} is not compared as in code`
  if (condition.kind === 'compare') {
    const other = table.byProperty.get(condition.other)
    if (other?.kind !== column.kind) return `${column.name} and ${condition.other} are not of one kind`
    return sql`${valueOf(dialect, column)} ${sql.raw(is)} ${valueOf(dialect, other)}`
  }
  const literal = dialect.schema.literal(column.kind, condition.value)
  return literal === undefined
    ? `the database cannot write the constant of ${column.name}`
    : sql`${valueOf(dialect, column)} ${sql.raw(is)} ${exactly(dialect, dialect.castsWidely === true && column.isText, sql.raw(literal))}`
}

/** Strings are compared by their characters, whatever the collation of the column is. */
const exactly = (dialect: SqlDialect, isText: boolean, value: Sql): Sql => {
  if (!isText) return value
  return dialect.castsWidely === true ? dialect.exactText.text(value) : dialect.byCode(value)
}

const valueOf = (dialect: SqlDialect, { isText, sql: value }: Column): Sql => exactly(dialect, isText, value)

/** `constraint … check …`, as in `create table` and `alter table … add`. */
export const defineCheck = ({ name, condition }: TableCheck): Sql =>
  sql`constraint ${sql.id(name)} check (${condition})`
