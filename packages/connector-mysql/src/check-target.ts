import { type TargetSession, unsuitableHost, unsuited } from '@modelwire/connector-sql'
import type mysql from 'mysql2'

/** Galera's own facts, which a server without it has, too. MySQL has none of them. */
const galera = "show global status where variable_name in ('wsrep_ready', 'wsrep_local_state')"
const settings = "show global variables where variable_name in ('wsrep_on', 'read_only')"

/**
 * Checks that a new connection leads to a host that is what it has to be, and to a node that its Galera cluster counts on.
 * A read-only host counts as a standby. `done` gets an error for an unsuitable host, or the server's.
 * @see https://galeracluster.com/library/documentation/galera-status-variables.html, wsrep_local_state
 */
export function checkTarget(
  wanted: TargetSession | undefined,
  connection: mysql.PoolConnection,
  done: (failure: Error | null) => void
): void {
  if (wanted === undefined) return done(null)
  ask(connection, settings, done, (own) => {
    const isReadOnly = isOn(own.get('read_only'))
    const reason = unsuited(wanted, { isReadOnly, isStandby: isReadOnly })
    if (reason !== undefined) return done(unsuitableHost(reason))
    if (!isOn(own.get('wsrep_on'))) return done(null)
    ask(connection, galera, done, (node) => {
      const isReady = isOn(node.get('wsrep_ready')) && node.get('wsrep_local_state') === synced
      done(isReady ? null : unsuitableHost('the node is not in sync with its cluster'))
    })
  })
}

/** The value of `wsrep_local_state` for a node that takes part in everything. */
const synced = '4'

const isOn = (value: string | undefined): boolean => value !== undefined && /^(?:on|1)$/i.test(value)

function ask(
  connection: mysql.PoolConnection,
  statement: string,
  fail: (failure: Error) => void,
  use: (values: ReadonlyMap<string, string>) => void
): void {
  connection.query({ sql: statement, rowsAsArray: true }, (failure, rows) => {
    if (failure !== null) return fail(failure)
    // Two columns of text, as the driver is told to give them.
    use(new Map(rows as unknown as readonly [string, string][]))
  })
}
