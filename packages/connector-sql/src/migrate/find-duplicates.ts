import { ConstraintViolated } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import { sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableIndex } from './table-indexes.ts'

/**
 * Refuses a unique index over records that have the same values, while an example can still be found: a failed statement would end the
 * migration's transaction.
 * @throws {ConstraintViolated} there are such records; it names some of their values
 */
export async function refuseDuplicates(runner: Runner, table: SqlTable, { parts }: TableIndex): Promise<void> {
  const columns = parts.map(({ column }) => column)
  const names = sql.join(columns.map((column) => column.sql))
  const notNull = sql.join(
    columns.map((column) => sql`${column.sql} is not null`),
    sql` and `
  )
  const statement = sql`select ${names}, count(*) as ${sql.id('how many')} from ${table.sql} where ${notNull} group by ${names} having count(*) > 1 limit 1`
  const [found] = (await runner.run(statement, { table })).rows
  if (found === undefined) return
  const example = columns.map(({ name }) => `${name} ${JSON.stringify(found[name])}`).join(', ')
  throw new ConstraintViolated(`${String(found['how many'])} records of the table ${table.name} have ${example}`)
}
