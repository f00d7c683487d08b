import { Client } from 'pg'

/** Runs one statement on a connection of its own; gives the rows. */
export async function runOn(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 30_000 })
  // The promise of the statement tells of it.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
