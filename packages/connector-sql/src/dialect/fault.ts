/** Of a socket: refused, reset, unknown names, time-outs. */
const ofSockets = /^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_|NOENT|ADDRNOTAVAIL|ACCES|PROTO)/

/** Of TLS: the handshake, and certificates that are not trusted, expired or of another host. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const ofTls =
  /^(?:ERR_(?:SSL|TLS|OSSL)|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_)/

/**
 * The kind of a database error.
 *
 * - `duplicate`: an id or a unique value already exists; `constraint`: another rule of the database is violated
 * - `value`: a value does not fit its column, whose type or itself the database may name; `pattern`: the database does not accept a regular expression
 * - `tooLarge`: data read or written exceeds the database's limits
 * - `login`: the server refuses the user or the password; `database`: it has no such database, or refuses the user access
 *   to it
 * - `lost`: the connection broke, or could not be established; `connectTimeout`: none was available in time
 * - `hostNotReady`: this host is read-only, or is not part of its cluster; nothing was executed
 * - `outdated`: a prepared statement is missing on this connection, or its table has changed; nothing was executed
 * - `timeout`: the statement took too long; `conflict`: another transaction conflicts, and retrying may help
 * - `full`: the storage is full
 * - `missing`: a table or column does not exist; `denied`: the database user lacks a privilege
 * - `other`: any other error of the database
 */
export type Fault =
  | { readonly kind: 'duplicate'; readonly taken: TakenIndex }
  | { readonly kind: 'constraint'; readonly constraint: string | undefined }
  | { readonly kind: 'value'; readonly value?: string; readonly type?: string }
  | { readonly kind: PlainFault }

/** The unique index of a `duplicate`, as far as the database names it. */
export interface TakenIndex {
  /** The name of the index or constraint. */
  readonly name?: string | undefined
  /** Its columns. */
  readonly columns?: readonly string[] | undefined
  readonly isPrimary?: boolean
}

/** Kinds of faults without further details. */
export type PlainFault =
  | 'value'
  | 'tooLarge'
  | 'login'
  | 'database'
  | 'lost'
  | 'connectTimeout'
  | 'hostNotReady'
  | 'outdated'
  | 'timeout'
  | 'full'
  | 'conflict'
  | 'missing'
  | 'pattern'
  | 'denied'
  | 'notUpdatable'
  | 'other'

/** True for an error of a socket that took too long to connect. */
export function isConnectTimeout(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect' && 'code' in error && error.code === 'ETIMEDOUT'
}

/** True if the `code` of an error means that a connection could not be established, or broke. */
export function isConnectionCode(code: string): boolean {
  return ofSockets.test(code) || ofTls.test(code)
}
