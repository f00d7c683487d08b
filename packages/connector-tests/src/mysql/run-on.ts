import { createConnection, type RowDataPacket } from 'mysql2/promise'

type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * Runs statements, or texts of several of them, on a connection outside of the connector. The rows of the last one, if
 * it gives any.
 */
export async function runOn(url: string, ...statements: readonly string[]): Promise<Rows> {
  const connection = await createConnection({ uri: url, multipleStatements: true })
  try {
    let rows: unknown = []
    for (const statement of statements) [rows] = await connection.query<RowDataPacket[]>(statement)
    // The driver's rows are objects; other statements have a result object.
    return Array.isArray(rows) ? (rows as Rows) : []
  } finally {
    await connection.end()
  }
}
