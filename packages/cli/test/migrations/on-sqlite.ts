import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import type { Test } from 'tap'

/** Runs a statement on the database of a project on SQLite. */
export function onSqlite(
  t: Test,
  dir: string
): (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]> {
  const connector = sqlite({ file: join(dir, 'shop.db') })
  t.teardown(() => connector.disconnect())
  return async (statement) => {
    const rows: unknown = await connector.execute?.(statement)
    return Array.isArray(rows) ? rows : []
  }
}

/** All tables and indexes but the history, as SQLite describes them. */
export const schemaOf = `
  select m.type as kind, m.name as name, group_concat(c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk, ', ') as columns
  from sqlite_schema m left join pragma_table_info(m.name) c
  where m.name not like 'modelwire%' and m.name not like 'sqlite%' group by m.type, m.name order by m.name`
