import { partsWithin, type Row, throwIfLeft, untilLeft } from '@modelwire/core/connector'
import type { Connection, ConnectionPool, PartLimits, StatementResult } from '../dialect/database.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import type { Statement } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { readRows } from '../values/decode-value.ts'

/**
 * Runs a read part by part; undefined while too many others run: the caller reads the whole result then. Errors are the
 * driver's.
 */
export type ReadParts = (statement: Statement) => AsyncIterable<StatementResult> | undefined

/**
 * Makes the function that reads part by part on connections of a pool. Others are left for reads that run meanwhile, such as
 * those of what the parts include. Undefined if the pool has too few, or its connections only read whole results.
 */
export function partsReader(
  pool: Pick<ConnectionPool, 'connect'>,
  limits: PartLimits | undefined
): ReadParts | undefined {
  if (limits === undefined || limits.atOnce < 1) return undefined
  let running = 0
  const read = async function* (statement: Statement): AsyncGenerator<StatementResult> {
    try {
      yield* readHeld(await takeConnection(pool, statement.signal), statement)
    } finally {
      running--
    }
  }
  return (statement) => {
    if (running >= limits.atOnce) return undefined
    running++
    return partsWithin(read(statement), limits.timeout)
  }
}

/** Reads on a connection, and gives it back. */
async function* readHeld(connection: Connection, statement: Statement): AsyncGenerator<StatementResult> {
  try {
    if (connection.readParts !== undefined) yield* connection.readParts(statement)
    else yield await connection.run(statement)
  } finally {
    connection.release(false)
  }
}

/** Takes a connection. A caller who leaves is refused at once. */
async function takeConnection(
  pool: Pick<ConnectionPool, 'connect'>,
  signal: AbortSignal | undefined
): Promise<Connection> {
  throwIfLeft(signal)
  const taking = pool.connect()
  try {
    return await untilLeft(signal, () => taking)
  } catch (error) {
    void releaseLate(taking)
    throw error
  }
}

/** Gives back a connection for which nobody waits any more, if there is one. */
async function releaseLate(taking: Promise<Connection>): Promise<void> {
  const [taken] = await Promise.allSettled([taking])
  if (taken.status === 'fulfilled') taken.value.release(false)
}

/** Rows of a model, to be read part by part. */
export interface PartedRead {
  readonly dialect: SqlDialect
  readonly statement: Statement
  readonly columns: readonly Column[]
  /** The error of a failure of the driver. */
  readonly translate: (error: unknown) => unknown
}

/** Begins a read: its first part has come. Undefined while too many run. Errors until then are the driver's. */
export async function beginParts(
  readParts: ReadParts,
  { dialect, statement, columns, translate }: PartedRead
): Promise<AsyncIterable<Row[]> | undefined> {
  const parts = readParts(statement)?.[Symbol.asyncIterator]()
  if (parts === undefined) return undefined
  const next = async (): Promise<Row[] | undefined> => {
    const part = await parts.next()
    if (part.done === true) return undefined
    try {
      return readRows(dialect, columns, part.value)
    } catch (error) {
      // Whoever iterates does not end what failed.
      await parts.return?.()
      throw error
    }
  }
  const first = await next()
  return restOf(first, { next, end: async () => void (await parts.return?.()), translate })
}

/** What is left of a read that has begun. */
interface Rest {
  readonly next: () => Promise<Row[] | undefined>
  readonly end: () => Promise<void>
  readonly translate: PartedRead['translate']
}

async function* restOf(first: Row[] | undefined, { next, end, translate }: Rest): AsyncGenerator<Row[]> {
  try {
    for (let part = first; part !== undefined; part = await next()) yield part
  } catch (error) {
    throw translate(error)
  } finally {
    await end()
  }
}
