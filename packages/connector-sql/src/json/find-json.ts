import {
  AnswerTooLarge,
  type Awaitable,
  type Collection,
  DataSourceUnavailable,
  type JsonQuery,
  type JsonShape,
  type ModelType
} from '@modelwire/core'
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
  /** The table of a model with the columns that the database has: without that of undeclared properties where it lacks one. */
  readonly presentTable: (model: ModelType) => Awaitable<SqlTable>
}

/** Makes the function that lets the database write records. */
export function createFindJson(context: FindJsonContext): NonNullable<Collection['findJson']> {
  const { runner, table } = context
  const compiled = new WeakMap<JsonQuery, CompiledQuery>()
  const compile = async (query: JsonQuery): Promise<CompiledQuery> => {
    const tables = await findTables(context, query.shape)
    const types = await loadTypes(context, [table, ...tables.values()])
    const tableOf = (model: ModelType): SqlTable => tables.get(model) ?? context.tableOf(model)
    const written = compileJson({ ...context, tableOf, typesOf: (each) => types.get(each) ?? noTypes }, query)
    const reduced = [...tables].filter(([model, each]) => each !== context.tableOf(model))
    const made: CompiledQuery = { statement: written && runner.compile(written), pause: undefined, reduced }
    compiled.set(query, made)
    return made
  }
  const isCurrent = async ({ reduced }: CompiledQuery): Promise<boolean> => {
    for (const [model, each] of reduced) if ((await context.presentTable(model)) !== each) return false
    return true
  }
  // Where records have values that cannot be written, asking twice would cost most reads double.
  const pause = createPause()
  return async (query, { signal } = {}) => {
    // A statement that fails would end the transaction.
    if (runner.isInTransaction() || !pause.isOver()) return undefined
    const last = compiled.get(query)
    // A migration of another process may add the columns that tables lacked.
    const isOutdated = last !== undefined && last.reduced.length > 0 && !(await isCurrent(last))
    const known = last === undefined || isOutdated ? await compile(query) : last
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
  /** Included models whose tables lack the column of undeclared properties, with the tables that the statement is written for. */
  readonly reduced: readonly (readonly [ModelType, SqlTable])[]
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
async function loadTypes(
  { types, json }: FindJsonContext,
  tables: readonly SqlTable[]
): Promise<ReadonlyMap<SqlTable, ColumnTypes>> {
  const loaded = new Map<SqlTable, ColumnTypes>()
  for (const each of tables) {
    const question = { table: each, list: () => json.listTypes(each), read: readColumnTypes }
    loaded.set(each, await types.get(each, question))
  }
  return loaded
}

/** The tables of all models whose records are included. */
async function findTables(context: FindJsonContext, shape: JsonShape): Promise<ReadonlyMap<ModelType, SqlTable>> {
  const tables = new Map<ModelType, SqlTable>()
  for (const model of modelsWithin(shape)) tables.set(model, await context.presentTable(model))
  return tables
}

const modelsWithin = ({ related }: JsonShape): readonly ModelType[] =>
  related.flatMap(({ model, shape }) => [model, ...modelsWithin(shape)])
