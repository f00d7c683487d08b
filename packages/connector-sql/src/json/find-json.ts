import { AnswerTooLarge, DataSourceUnavailable, type Collection, type JsonQuery, type JsonShape } from '@modelwire/core'
import { StatementCancelled, StatementTimeout, TransactionConflict, ValueRefused } from '../errors.ts'
import type { Runner } from '../run-statement.ts'
import type { Statement } from '../sql.ts'
import { type ColumnTypes, readColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableFacts } from '../table/table-facts.ts'
import { type CompileContext, compileJson } from './compile-json.ts'
import { createPause, type Pause } from './pause.ts'

/** What writing records needs besides compiling the statement. */
export interface FindJsonContext extends Omit<CompileContext, 'typesOf'> {
  readonly runner: Runner
  readonly types: TableFacts<SqlTable, ColumnTypes>
}

/** Makes the function that lets the database write records. */
export function createFindJson(context: FindJsonContext): NonNullable<Collection['findJson']> {
  const { runner, table } = context
  const compiled = new WeakMap<JsonQuery, CompiledQuery>()
  const compile = async (query: JsonQuery): Promise<CompiledQuery> => {
    const types = await loadTypes(context, query.shape)
    const written = compileJson({ ...context, typesOf: (each) => types.get(each) ?? noTypes }, query)
    const made: CompiledQuery = { statement: written && runner.compile(written), pause: undefined }
    compiled.set(query, made)
    return made
  }
  // Where records have values that cannot be written, asking twice would cost most reads double.
  const pause = createPause()
  return async (query, { signal } = {}) => {
    // A statement that fails would end the transaction.
    if (runner.isInTransaction() || !pause.isOver()) return undefined
    const known = compiled.get(query) ?? (await compile(query))
    const { statement } = known
    if (statement === undefined || known.pause?.isOver() === false) return undefined
    const failed = (): undefined => {
      pause.failed()
      known.pause ??= createPause()
      known.pause.failed()
    }
    try {
      const { rows } = await runner.run({ ...statement, signal }, { table, atMost: query.filter.atMost })
      const text = readText(rows[0], query.single)
      if (text === undefined) return failed()
      pause.succeeded()
      known.pause = undefined
      return text
    } catch (error) {
      if (isAnswer(error)) throw error
      // Something about these records cannot be written. Whoever reads them as rows is told what is wrong, if anything is.
      if (!(error instanceof ValueRefused)) known.statement = undefined
      return failed()
    }
  }
}

/** What is known of a query. */
interface CompiledQuery {
  /** Undefined where the database cannot write its records, whatever is in them. */
  statement: Statement | undefined
  /** After values that cannot be written: those of this query, while others go on. */
  pause: Pause | undefined
}

const noTypes: ColumnTypes = new Map()

/** Null where there is no record, undefined for one that the database cannot write. */
function readText(row: Readonly<Record<string, unknown>> | undefined, single: boolean): string | null | undefined {
  if (row === undefined) return single ? null : undefined
  return typeof row['json'] === 'string' ? row['json'] : undefined
}

/** To ask for the rows would come to the same. */
function isAnswer(error: unknown): boolean {
  return [AnswerTooLarge, DataSourceUnavailable, StatementCancelled, StatementTimeout, TransactionConflict].some(
    (kind) => error instanceof kind
  )
}

/** What the columns of all tables of an answer are. */
async function loadTypes(context: FindJsonContext, shape: JsonShape): Promise<ReadonlyMap<SqlTable, ColumnTypes>> {
  const { types, table, json } = context
  const loaded = new Map<SqlTable, ColumnTypes>()
  for (const each of [table, ...tablesOf(context, shape)]) {
    const question = { table: each, list: () => json.listTypes(each), read: readColumnTypes }
    loaded.set(each, await types.get(each, question))
  }
  return loaded
}

function tablesOf(context: FindJsonContext, { related }: JsonShape): readonly SqlTable[] {
  return related.flatMap(({ model, shape }) => [context.tableOf(model), ...tablesOf(context, shape)])
}
