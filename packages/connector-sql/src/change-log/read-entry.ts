import type { LogEntry } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect.ts'
import { readRow } from '../find/read-row.ts'
import type { RawRow } from '../statement/statement-result.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { loggedColumns } from './table-triggers.ts'

/** Makes the function that reads the row of an entry; undefined for one of a model that is not logged any more. */
export function entryReader(
  dialect: SqlDialect,
  tables: readonly SqlTable[]
): (raw: RawRow, position: string) => LogEntry | undefined {
  const { changeLog } = dialect
  const reading = { ...dialect, ...(changeLog && { decode: changeLog.read }) }
  const columns = new Map(tables.map((table) => [table.model.name, loggedColumns(table)]))
  return (raw, position) => {
    const model = String(raw['model'])
    const logged = columns.get(model)
    if (logged === undefined) return undefined
    // A trigger wrote it.
    const record = JSON.parse(String(raw['record'])) as Record<string, unknown>
    const kind = String(raw['kind']) as LogEntry['kind'] // as triggers write it
    return { position, model, kind, at: new Date(Number(raw['made_at'])), row: readRow(reading, logged, record) }
  }
}
