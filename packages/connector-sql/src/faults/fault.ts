/**
 * The kind of a database error.
 *
 * - `duplicate`: an id or a unique value exists already; `constraint`: another rule of the database is broken
 * - `value`: a value does not fit its column; `pattern`: a regular expression is invalid there
 * - `tooLarge`: what is read or written is larger than the database allows
 * - `lost`: the connection broke, or none could be made; `connectTimeout`: none was available in time
 * - `hostNotReady`: this host is read-only, or is not part of its cluster; nothing was executed
 * - `outdated`: a prepared statement is missing on this connection, or its table has changed; nothing was executed
 * - `timeout`: the statement took too long; `conflict`: another transaction conflicts, and retrying may help
 * - `full`: the storage is full
 * - `missing`: there is no such table or column; `denied`: the database's user lacks a privilege
 * - `other`: the database reports anything else
 */
export type Fault =
  | { readonly kind: 'duplicate'; readonly constraint: string | undefined }
  | { readonly kind: 'constraint'; readonly constraint: string | undefined }
  | { readonly kind: PlainFault }

/** Kinds of faults without further facts. */
export type PlainFault =
  | 'value'
  | 'tooLarge'
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
  | 'other'
