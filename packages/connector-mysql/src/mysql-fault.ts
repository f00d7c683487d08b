import {
  type TakenIndex,
  type Fault,
  isConnectionCode,
  isConnectTimeout,
  isUnsuitableHost,
  type PlainFault
} from '@modelwire/connector-sql'

/**
 * The meaning of an error of the driver, by its number or the socket's code.
 * @see https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
 */
export function mysqlFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined
  if (isUnsuitableHost(error)) return { kind: 'hostNotReady' }
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0
  if (number === 1062 || number === 1586) {
    // The last one: before it comes the value, which may look the same.
    const key = /^.*for key '(.+)'$/s.exec(error.message)?.[1]
    return { kind: 'duplicate', taken: key === undefined ? {} : takenKey(key) }
  }
  // The handler's and the system's own errors come with their numbers in the text: 28 is a disk that is full.
  if ((number === 1030 || number === 1026) && /\b28\b/.test(error.message)) return { kind: 'full' }
  // Galera has no number for a transaction that is larger than it may be.
  if (number === 1105 && /writeset size/i.test(error.message)) return { kind: 'full' }
  const fault = numbers.get(number)
  if (fault === 'constraint') return { kind: fault, constraint: nameOfCheck(error.message) }
  if (fault !== undefined) return { kind: fault }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (isConnectionCode(code)) return { kind: isConnectTimeout(error) ? 'connectTimeout' : 'lost' }
  const kind = codes.find(([pattern]) => pattern.test(code || error.message))?.[1]
  if (kind !== undefined) return { kind }
  return isOfServer(error) ? { kind: 'other' } : undefined
}

/** MySQL puts the table before the name, MariaDB does not. */
function takenKey(key: string): TakenIndex {
  const name = key.slice(key.indexOf('.') + 1)
  return name === 'PRIMARY' ? { isPrimary: true } : { name }
}

/** True for an error that the server sent: the connection is still usable. After the driver's own errors it may be busy. */
export function isOfServer(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && 'sqlState' in error
}

/** The first one is MariaDB's, the second one MySQL's. */
const nameOfCheck = (message: string): string | undefined =>
  (/^CONSTRAINT `([^`]+)` failed/.exec(message) ?? /^Check constraint '([^']+)' is violated/.exec(message))?.[1]

type PlainKind = PlainFault | 'constraint'

/**
 * By number. `conflict` is what takes a transaction back for another one's sake: also one that a cluster finds out when
 * it is committed (3101). A Galera node that is not ready answers 1047 to everything; a read-only one answers 1290 or
 * 1836. A commit that fails in the cluster (1180) may have taken effect, like one whose connection breaks.
 */
const numbers: ReadonlyMap<number, PlainKind> = new Map<number, PlainKind>([
  ...group('conflict', 1020, 1205, 1213, 1613, 1614, 3058, 3101),
  ...group('constraint', 1048, 1216, 1217, 1364, 1369, 1451, 1452, 1557, 1644, 1761, 1762, 3819, 4025),
  // Also what a character set lacks (1267, 1270, 1271), and columns that the database computes (1906, 3105).
  ...group('value', 1153, 1264, 1265, 1267, 1270, 1271, 1292, 1301, 1366, 1367, 1406, 1411, 1416, 1690, 1906),
  ...group('value', 3105, 3140, 3141, 3143, 4038, 4042),
  ...group('pattern', 1139, 3685, 3686, 3687, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696, 3697, 3698),
  ...group('missing', 1054, 1146, 1356),
  ...group('denied', 1142, 1143, 1227, 1370),
  ...group('notUpdatable', 1288, 1348, 1393, 1394, 1395, 1471),
  ...group('full', 1021, 1037, 1038, 1041, 1114, 1206),
  ...group('timeout', 1317, 1969, 3024),
  ...group('hostNotReady', 1047, 1290, 1792, 1836, 3100),
  // Also accounts that are locked, and passwords that have expired.
  ...group('login', 1045, 1130, 1698, 1862, 3118, 3955, 4151),
  ...group('database', 1044, 1049),
  ...group('lost', 1040, 1043, 1053, 1129, 1152, 1158, 1159, 1160, 1161, 1180, 1184, 1189, 1190),
  ...group('lost', 1203, 1226, 1251, 1927, 2006, 2013)
])

const codes: readonly (readonly [RegExp, PlainFault])[] = [
  [/^STATEMENT_TOO_LONG$/, 'timeout'],
  [/^POOL_EXHAUSTED$/, 'connectTimeout'],
  [/^(?:PROTOCOL_|HANDSHAKE_|AUTH_|POOL_)/, 'lost'],
  [/connection is in closed state|pool is closed/i, 'lost']
]

function group<Kind extends string>(kind: Kind, ...all: readonly number[]): readonly (readonly [number, Kind])[] {
  return all.map((number) => [number, kind])
}
