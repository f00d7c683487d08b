import { createHash } from 'node:crypto'
import { isSecretField } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import type { TableState } from '../migrate/table-state.ts'
import { type Sql, sql, writeStatement } from '../sql.ts'
import type { Column } from '../table/column.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { ChangeLogDialect } from './change-log-dialect.ts'
import type { LogTable } from './log-table.ts'

/** What all names of such triggers begin with. */
export const triggerPrefix = 'modelwire_changes_'

/** The triggers that log the changes of a table. */
export interface TableTriggers {
  readonly names: readonly string[]
  readonly statements: readonly Sql[]
}

/** The columns that are logged: no secrets, which would be kept longer than in their record. */
export function loggedColumns({ columns }: SqlTable): readonly Column[] {
  return columns.filter(({ property }) => !isSecretField(property.name))
}

/**
 * The triggers of a table. Their name changes with what they do, so that a name says whether they are up to date.
 * @param columns those that the table has, by their folded names
 */
export function triggersOf(
  dialect: SqlDialect & { readonly changeLog: ChangeLogDialect },
  table: SqlTable,
  { columns, log }: { readonly columns: TableState['columns']; readonly log: LogTable }
): TableTriggers {
  const { changeLog, schema } = dialect
  const present = loggedColumns(table).flatMap((column) => {
    const found = columns.get(schema.names.fold(column.name))
    return found === undefined ? [] : [{ column, type: found.type }]
  })
  const insert = (kind: 'create' | 'update' | 'remove'): Sql => {
    const row = kind === 'remove' ? 'old' : 'new'
    const members = present.map(
      ({ column, type }) =>
        [
          textOf(dialect, column.name),
          changeLog.write(sql`${sql.raw(row)}.${sql.id(column.name)}`, column, type)
        ] as const
    )
    const names = ['model', 'kind', 'made_at', 'record'].map((name) => sql.id(name))
    const values = [textOf(dialect, table.model.name), textOf(dialect, kind), changeLog.now, changeLog.object(members)]
    return sql`insert into ${log.log} (${sql.join(names)}) values (${sql.join(values)})`
  }
  const unnamed = changeLog.create({ name: triggerPrefix, table, insert })
  const text = unnamed.map((statement) => writeStatement(dialect.notation, statement).sql).join('\n')
  const name = `${triggerPrefix}${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
  return { names: changeLog.namesOf(name), statements: changeLog.create({ name, table, insert }) }
}

/** Names come from model files: all of them can be literals. */
function textOf({ schema }: SqlDialect, text: string): Sql {
  const literal = schema.literal('text', text)
  if (literal === undefined) throw new TypeError(`the database cannot write the name ${JSON.stringify(text)}`)
  return sql.raw(literal)
}
