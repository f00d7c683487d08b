import type { ServerSettings } from '@modelwire/connector-sql'
import type { Pool, PoolClient } from 'pg'
import { PreparedQuery } from './prepared-query.ts'
import { unnamed } from './prepared-statements.ts'

/** Settings of the server's own by their names. */
export type SessionSettings = NonNullable<ServerSettings['session']>

/** Gives a new connection the settings of the data source. @throws the server's error where it knows no such setting or value */
export async function applySession(settings: SessionSettings, pool: Pool, client: PoolClient): Promise<void> {
  const entries = Object.entries(settings)
  if (entries.length === 0) return
  const calls = entries.map((_entry, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, false)`)
  const values = entries.flatMap(([name, value]) => [name, String(value)])
  const query = new PreparedQuery(unnamed(`select ${calls.join(', ')}`), values, {
    timeout: pool.options.connectionTimeoutMillis
  })
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
}
