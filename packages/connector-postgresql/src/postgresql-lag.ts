import { type LagDialect, sql } from '@modelwire/connector-sql'

/**
 * How far the standbys of PostgreSQL are: by positions in its log, which any user may ask for. The time of the last
 * transaction that was copied would tell nothing where none came, or where the way to the primary is cut.
 * @see https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL
 */
export const postgresqlLag: LagDialect = {
  position: sql`select pg_current_wal_lsn()::text as position`,
  state: sql`select pg_last_wal_replay_lsn()::text as position, pg_is_in_recovery()::int as copies`,
  hasReached: (position, wanted) => readPosition(position) >= readPosition(wanted)
}

/** `16/B374D848`: two numbers of 32 bits. -1 for anything else. */
function readPosition(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? -1n : BigInt(`0x${high}`) * 0x1_0000_0000n + BigInt(`0x${low}`)
}
