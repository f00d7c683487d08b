import { DataSourceUnavailable } from '@modelwire/core'
import {
  AnswerTooLarge,
  type Collection,
  StatementCancelled,
  StatementTimeout,
  TransactionConflict,
  ValueRefused
} from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import { type CompiledContext, type CompiledQuery, createCompiledQueries } from './compiled-queries.ts'
import { createPause, type Pause } from './pause.ts'

/** The context of writing records besides compiling the statement. */
export interface FindJsonContext extends CompiledContext {
  readonly runner: Runner
}

/** Makes the function that lets the database write records. */
export function createFindJson(context: FindJsonContext): NonNullable<Collection['findJson']> {
  const { runner, table } = context
  const compile = createCompiledQueries(context)
  // Where records have values that cannot be written, asking twice would cost most reads double.
  const pause = createPause()
  return async (query, { signal } = {}) => {
    // A statement that fails would end the transaction.
    if (runner.isInTransaction() || !pause.isOver()) return undefined
    const compiling = compile(query)
    const compiled = compiling instanceof Promise ? await compiling : compiling
    const { statement } = compiled
    if (statement === undefined || compiled.pause?.isOver() === false) return undefined
    try {
      const { rows } = await runner.run({ ...statement, signal }, { table, atMost: query.filter.atMost })
      const text = readText(rows[0], query.single)
      if (text === undefined) return failed(compiled, pause)
      pause.succeeded()
      compiled.pause = undefined
      return text
    } catch (error) {
      if (isAnswer(error)) throw error
      // Something about these records cannot be written. Reading them as rows reports the error, if there is one.
      if (!(error instanceof ValueRefused)) compiled.statement = undefined
      return failed(compiled, pause)
    }
  }
}

/** The query waits, and so do all of its model, until one of them succeeds. */
function failed(compiled: CompiledQuery, pause: Pause): undefined {
  compiled.pause ??= createPause()
  compiled.pause.failed()
  pause.failed()
}

/** Null where there is no record, undefined for one that the database cannot write. */
function readText(row: Readonly<Record<string, unknown>> | undefined, single: boolean): string | null | undefined {
  if (row === undefined) return single ? null : undefined
  return typeof row['json'] === 'string' ? row['json'] : undefined
}

/** Reading the rows would have the same result. */
function isAnswer(error: unknown): boolean {
  return [AnswerTooLarge, DataSourceUnavailable, StatementCancelled, StatementTimeout, TransactionConflict].some(
    (kind) => error instanceof kind
  )
}
