import { createHash } from 'node:crypto'
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

/** The checks that the database can make, and why it cannot make others. */
export function checksOf(
  dialect: SqlDialect,
  table: SqlTable
): { readonly checks: readonly TableCheck[]; readonly notes: readonly string[] } {
  const [checks, notes]: [TableCheck[], string[]] = [[], []]
  for (const check of table.model.checks) {
    const condition = compile(dialect, table, check.condition)
    if (typeof condition === 'string') {
      notes.push(
        `the check ${check.name} of ${table.model.name} is not made a constraint of ${table.name}: ${condition}`
      )
      continue
    }
    const hash = createHash('sha256').update(JSON.stringify(check.condition)).digest('hex').slice(0, 8)
    checks.push({ check, name: fitName(dialect, `${table.name}_${check.name}_${hash}`), condition })
  }
  return { checks, notes }
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
    : sql`${valueOf(dialect, column)} ${sql.raw(is)} ${sql.raw(literal)}`
}

const valueOf = (dialect: SqlDialect, { isText, sql: value }: Column): Sql => (isText ? dialect.byCode(value) : value)

/** `constraint … check …`, as in `create table` and `alter table … add`. */
export const defineCheck = ({ name, condition }: TableCheck): Sql =>
  sql`constraint ${sql.id(name)} check (${condition})`
