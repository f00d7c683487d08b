import { type TargetSession, unsuitableHost, unsuited } from '@modelwire/connector-sql'
import type { Pool, PoolClient } from 'pg'
import { PreparedQuery } from './prepared-query.ts'
import { unnamed } from './prepared-statements.ts'

const stateOf =
  "select pg_is_in_recovery()::int as standby, (current_setting('transaction_read_only') = 'on')::int as read_only"

/**
 * Checks that a new connection leads to a host that is what it has to be, as libpq does.
 * @throws an error for an unsuitable host, or the server's
 */
export async function checkTarget(wanted: TargetSession | undefined, pool: Pool, client: PoolClient): Promise<void> {
  if (wanted === undefined || wanted === 'any' || wanted === 'prefer-standby') return
  const query = new PreparedQuery(unnamed(stateOf), [], { timeout: pool.options.connectionTimeoutMillis })
  await new Promise<void>((resolve, reject) => {
    query.callback = (failure) => (failure ? reject(failure) : resolve())
    client.query(query)
  })
  const [row = {}] = query.namedRows()
  const state = { isStandby: isTrue(row['standby']), isReadOnly: isTrue(row['read_only']) }
  const reason = unsuited(wanted, state)
  if (reason !== undefined) throw unsuitableHost(reason)
}

const isTrue = (value: unknown): boolean => Number(value) === 1
