import { Client, type QueryResult } from 'pg'

/** Runs statements on a connection outside of the connector. */
export async function runOn(url: string, ...statements: readonly string[]): Promise<QueryResult[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    const results: QueryResult[] = []
    for (const statement of statements) results.push(await client.query(statement))
    return results
  } finally {
    await client.end()
  }
}
