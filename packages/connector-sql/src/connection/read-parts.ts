import { partsWithin, type Row, throwIfLeft, untilLeft } from '@modelwire/core/connector'
import { makePlaces, type Places } from '@modelwire/server'
import type { Connection, ConnectionPool, PartLimits, StatementResult } from '../dialect/database.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import type { Statement } from '../sql.ts'
import type { Column } from '../table/column.ts'
import { readRows } from '../values/decode-value.ts'

/** Runs a read part by part. Errors are the driver's. */
export type ReadParts = (statement: Statement) => AsyncIterable<StatementResult>

/**
 * Makes the function that reads part by part on connections of a pool. Others are left for reads that run meanwhile, such as
 * those of what the parts include. Undefined if the pool has too few, or its connections only read whole results.
 */
export function partsReader(
  pool: Pick<ConnectionPool, 'connect'>,
  limits: PartLimits | undefined
): ReadParts | undefined {
  if (limits === undefined || limits.atOnce < 1) return undefined
  const places = makePlaces(limits.atOnce)
  const read = async function* (statement: Statement): AsyncGenerator<StatementResult> {
    const connection = await takeConnection(pool, places, statement.signal)
    try {
      if (connection.readParts !== undefined) yield* connection.readParts(statement)
      else yield await connection.run(statement)
    } finally {
      connection.release(false)
    }
  }
  return (statement) => partsWithin(read(statement), limits.timeout)
}

/** Takes a place and a connection, which gives the place back. A caller who leaves is refused at once. */
async function takeConnection(
  pool: Pick<ConnectionPool, 'connect'>,
  { enter, leave }: Places,
  signal: AbortSignal | undefined
): Promise<Connection> {
  throwIfLeft(signal)
  const take = async (): Promise<Connection> => {
    await enter()
    try {
      throwIfLeft(signal)
      const connection = await pool.connect()
      const release: Connection['release'] = (isBroken) => {
        connection.release(isBroken)
        leave()
      }
      return { ...connection, release }
    } catch (error) {
      leave()
      throw error
    }
  }
  const taking = take()
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

/** Begins a read: its first part has come. Errors until then are the driver's. */
export async function beginParts(
  readParts: ReadParts,
  { dialect, statement, columns, translate }: PartedRead
): Promise<AsyncIterable<Row[]>> {
  const parts = readParts(statement)[Symbol.asyncIterator]()
  const begun = await parts.next()
  let first = begun.done === true ? undefined : readRows(dialect, columns, begun.value)
  const iterator: AsyncIterator<Row[]> = {
    next: async () => {
      const value = first
      first = undefined
      if (value !== undefined) return { value, done: false }
      try {
        const part = await parts.next()
        return part.done === true ? part : { value: readRows(dialect, columns, part.value), done: false }
      } catch (error) {
        throw translate(error)
      }
    },
    return: async () => {
      first = undefined
      await parts.return?.()
      return { value: undefined, done: true }
    }
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
