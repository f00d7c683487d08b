import type { Fault } from '@modelwire/connector-sql'

/**
 * What an error of the driver means, by its number or by the code of the socket.
 * @see https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
 */
export function mysqlFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0
  if (number === 1062 || number === 1586) {
    // The last one: before it stands the value, which somebody may have written so.
    return { kind: 'duplicate', constraint: /^.*for key '([^']+)'/s.exec(error.message)?.[1] }
  }
  // The handler's and the system's own errors come with their numbers in the text: 28 is a disk that is full.
  if ((number === 1030 || number === 1026) && /\b28\b/.test(error.message)) return { kind: 'full' }
  const known = numbers.get(number)
  if (known === 'constraint') return { kind: known, constraint: undefined }
  if (known !== undefined) return { kind: known }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const kind = codes.find(([pattern]) => pattern.test(code || error.message))?.[1]
  return kind && { kind }
}

type PlainKind = Exclude<Fault['kind'], 'duplicate' | 'constraint'>

const numbers: ReadonlyMap<number, PlainKind | 'constraint'> = new Map<number, PlainKind | 'constraint'>([
  ...group('conflict', 1020, 1205, 1213),
  ...group('constraint', 1048, 1216, 1217, 1364, 1451, 1452, 3819, 4025),
  ...group('value', 1264, 1265, 1292, 1366, 1367, 1406, 1416, 3140, 3141, 3143, 4038, 4042),
  ...group('pattern', 1139, 3685, 3686, 3687, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696, 3697, 3698),
  ...group('missing', 1054, 1146),
  ...group('full', 1021, 1114),
  ...group('timeout', 1317, 1969, 3024),
  ...group('lost', 1040, 1044, 1045, 1049, 1053, 1152, 1158, 1159, 1160, 1161, 1203, 1226, 1290, 1927, 2006, 2013)
])

const codes: readonly (readonly [RegExp, PlainKind])[] = [
  [/^STATEMENT_TOO_LONG$/, 'timeout'],
  [/^(?:PROTOCOL_|E(?:CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN|NOENT)|POOL_)/, 'lost'],
  [/connection is in closed state|pool is closed/i, 'lost']
]

function group<Kind extends string>(kind: Kind, ...all: readonly number[]): readonly (readonly [number, Kind])[] {
  return all.map((number) => [number, kind])
}
