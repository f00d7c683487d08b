import { createConnection } from 'mysql2/promise'

/** Runs statements, or texts of several of them, as somebody else than the connector. */
export async function runOn(url: string, ...statements: readonly string[]): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true })
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}
