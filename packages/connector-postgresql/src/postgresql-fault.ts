import type { Fault } from '@modelwire/connector-sql'

/**
 * What an error of the driver means, by its SQLSTATE, by the code of the socket, or else by its words.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function postgresqlFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  if (code === '23505') return { kind: 'duplicate', constraint }
  if (code.startsWith('23')) return { kind: 'constraint', constraint }
  if (isOutdated(error)) return { kind: 'conflict' }
  const kind = byCode.find(([pattern]) => pattern.test(code))?.[1]
  if (kind !== undefined) return { kind }
  // Errors of the driver itself have no code.
  const said = byMessage.find(([pattern]) => pattern.test(error.message))?.[1]
  return said && { kind: said }
}

/**
 * A prepared statement whose table has changed since, or that the connection does not know: one before it could not be
 * prepared, or something between here and the server changed connections. On another one it can be prepared anew.
 */
export function isOutdated(error: Error): boolean {
  const isUnknown = 'code' in error && error.code === '26000'
  return isUnknown || ('routine' in error && error.routine === 'RevalidateCachedQuery')
}

type PlainKind = Exclude<Fault['kind'], 'duplicate' | 'constraint'>

const byCode: readonly (readonly [RegExp, PlainKind])[] = [
  [/^40(?:001|P01)$/, 'conflict'],
  [/^53[14]00$/, 'full'],
  [/^(?:57014|55P03)$/, 'timeout'],
  [/^(?:08|53|57P|28|3D|25P0[34])/, 'lost'],
  [/^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN|NOENT)/, 'lost'],
  [/^(?:42P01|42703|3F000)$/, 'missing'],
  [/^2201B$/, 'pattern'],
  [/^(?:22|428C9)/, 'value']
]

const byMessage: readonly (readonly [RegExp, PlainKind])[] = [
  [/query read timeout/i, 'timeout'],
  [
    /connection (?:terminated|ended|closed)|timeout exceeded when trying to connect|connection timeout|not queryable|pool after calling end/i,
    'lost'
  ]
]
