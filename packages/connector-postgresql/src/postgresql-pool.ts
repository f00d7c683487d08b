import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, TypeOverrides, types, type PoolClient, type PoolConfig } from 'pg'
import { isOutdated } from './postgresql-fault.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

/** A pool of connections in which statements are prepared under a name: the server plans each of them once. */
export function createPool(config: PoolConfig): PostgresPool {
  const pool = new Pool({ ...config, types: readTypes() })
  // A connection that breaks while nobody uses it leaves the pool; whoever comes next gets another one.
  pool.on('error', () => {})
  // One that breaks in the hands of somebody fails his statements; the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const names = new WeakMap<PoolClient, StatementNames>()
  return {
    connect: async () => {
      const client = await pool.connect()
      const known = names.get(client) ?? createStatementNames()
      names.set(client, known)
      return nameStatements(client, known)
    },
    end: () => pool.end()
  }
}

function nameStatements(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let failed: Error | undefined
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    // Whatever came next would wait behind the statement that was not answered.
    if (failed !== undefined) throw failed
    const name = names(text)
    try {
      return await client.query({ text, values: [...values], ...(name !== undefined && { name }) })
    } catch (error) {
      if (error instanceof Error && isBroken(error)) failed = error
      throw error
    }
  }
  // Kysely asks for results with the fields that the driver gives them.
  return { query, release: () => client.release(failed) } as PostgresPoolClient
}

/**
 * After an error that is not the server's nobody knows what the connection is doing; the server ends it with errors of
 * some classes. One with statements that were prepared before their tables changed is of no use either.
 */
function isBroken(error: Error): boolean {
  return !(error instanceof DatabaseError) || isOutdated(error) || /^(?:08|57P|25P0[34])/.test(error.code ?? '')
}

/** JSON stays text: the connector reads it, as it does in columns of texts. */
function readTypes(): TypeOverrides {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(types.builtins.JSON, String)
  overrides.setTypeParser(types.builtins.JSONB, String)
  return overrides
}
