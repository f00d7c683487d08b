import { partsWithin, type Row, throwIfLeft } from '@modelwire/core/connector'
import { makePlaces } from '@modelwire/server'
import type { ConnectionPool, PartLimits, StatementResult } from '../dialect/database.ts'
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
export function partsReader(pool: Pick<ConnectionPool, 'connect'>, limits: PartLimits | undefined): ReadParts | undefined {
  if (limits === undefined || limits.atOnce < 1) return undefined
  const { enter, leave } = makePlaces(limits.atOnce)
  const read = async function* (statement: Statement): AsyncGenerator<StatementResult> {
    await enter()
    try {
      throwIfLeft(statement.signal)
      const connection = await pool.connect()
      try {
        throwIfLeft(statement.signal)
        if (connection.readParts !== undefined) yield* connection.readParts(statement)
        else yield await connection.run(statement)
      } finally {
        connection.release(false)
      }
    } finally {
      leave()
    }
  }
  return (statement) => partsWithin(read(statement), limits.timeout)
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
