import {
  type TakenIndex,
  type Fault,
  isConnectionCode,
  isConnectTimeout,
  isUnsuitableHost,
  type PlainFault
} from '@modelwire/connector-sql'

/**
 * The meaning of an error of the driver, by its SQLSTATE, the socket's code, or else its text.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function postgresqlFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  if (code === '23505') return { kind: 'duplicate', taken: { name: constraint, columns: columnsOf(error) } }
  if (isRule(code)) return { kind: 'constraint', constraint }
  if (isUnsuitableHost(error)) return { kind: 'hostNotReady' }
  if (isOutdated(error)) return { kind: 'outdated' }
  if (isMalformed(error, code)) return { kind: 'value' }
  if (isTooLarge(error, code)) return { kind: 'tooLarge' }
  const kind = byCode.find(([pattern]) => pattern.test(code))?.[1]
  if (kind === 'value') return { kind, ...valueIn(error.message) }
  if (kind !== undefined) return { kind }
  if (isConnectionCode(code)) return { kind: isConnectTimeout(error) ? 'connectTimeout' : 'lost' }
  // Errors of the server have a SQLSTATE; errors of the driver itself have no code.
  const match = isState(code) ? 'other' : byMessage.find(([pattern]) => pattern.test(error.message))?.[1]
  return match && { kind: match }
}

/** The value, or the type, that the server's own words name. */
function valueIn(message: string): { readonly value?: string; readonly type?: string } {
  const value = /: "([^]*)"$/.exec(message)?.[1]
  const type = /\b(?:for|match) type ([^:]+)/.exec(message)?.[1]
  return { ...(value !== undefined && { value }), ...(type !== undefined && { type }) }
}

/**
 * The columns of a unique index: `Key (a, "b c")=(…) already exists.` in any language. Undefined for an index over
 * expressions, and where the user may not read the columns.
 */
function columnsOf(error: Error): TakenIndex['columns'] {
  const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : ''
  const [, written] = /^[^(]*\(((?:"(?:[^"]|"")*"|[^"()])+)\)=\(/.exec(detail) ?? []
  if (written === undefined) return undefined
  return Array.from(
    written.matchAll(/"((?:[^"]|"")*)"|[^,\s]+/g),
    ([name, quoted]) => quoted?.replaceAll('""', '"') ?? name
  )
}

/** Rules that a record breaks: constraints, the condition of a view, and what triggers refuse by `raise`. */
const isRule = (code: string): boolean => /^(?:23...|44000|P0001)$/.test(code)

const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code)

/**
 * True if a prepared statement is invalid since its table has changed, or its name is unknown or already used on the
 * connection: an earlier one could not be prepared, or a pooler switched connections. Nothing was executed.
 */
export function isOutdated(error: Error): boolean {
  return isMisplaced(error) || ('routine' in error && error.routine === 'RevalidateCachedQuery')
}

/** True if the name of a prepared statement is unknown to the connection, or in use there. */
export function isMisplaced(error: Error): boolean {
  return 'code' in error && (error.code === '26000' || error.code === '42P05')
}

/** A syntax error within a value, such as a text search vector: those of statements have a position. */
function isMalformed(error: Error, code: string): boolean {
  const isOfFunction = 'where' in error && typeof error.where === 'string' && /\b(?:PL\/|SQL )/.test(error.where)
  return code === '42601' && !isOfFunction && !('position' in error && error.position !== undefined)
}

/** The server's own words for a piece of memory that is too large, which it does not translate, have no SQLSTATE of their own. */
function isTooLarge({ message }: Error, code: string): boolean {
  return code === '54000' || (code === 'XX000' && message.startsWith('invalid memory alloc request size'))
}

/**
 * By SQLSTATE. A host that only reads (25006) did nothing, and another one may do it. Of the insufficient resources (53) a
 * full disk and a limit of the configuration stay; memory and connections may be had later.
 */
const byCode: readonly (readonly [RegExp, PlainFault])[] = [
  [/^40003$/, 'lost'],
  [/^(?:40...|72000)$/, 'conflict'],
  [/^53[14]00$/, 'full'],
  [/^(?:57014|55P03)$/, 'timeout'],
  [/^25006$/, 'hostNotReady'],
  [/^28...$/, 'login'],
  [/^3D000$/, 'database'],
  [/^(?:08...|53...|57P..|58000|58030|25P0[34])$/, 'lost'],
  [/^(?:42P01|42703|3F000)$/, 'missing'],
  [/^42501$/, 'denied'],
  [/^(?:55000|42809)$/, 'notUpdatable'],
  [/^2201B$/, 'pattern'],
  [/^(?:22...|428C9)$/, 'value']
]

/**
 * Errors of the driver: it cannot connect without the TLS or the password that the server requires, or loses the
 * connection.
 */
const byMessage: readonly (readonly [RegExp, PlainFault])[] = [
  [/query read timeout/i, 'timeout'],
  [/timeout exceeded when trying to connect|connection timeout|timeout expired/i, 'connectTimeout'],
  [/^SASL|password must be a string/i, 'login'],
  [/SSL connection/i, 'lost'],
  // Something else than PostgreSQL answers.
  [/received (?:unexpected|invalid)|unknown authentication/i, 'lost'],
  [/connection (?:terminated|ended|closed)|not queryable|pool after calling end/i, 'lost']
]
