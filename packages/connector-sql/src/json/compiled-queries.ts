import type { Awaitable, JsonQuery, JsonShape, ModelType } from '@modelwire/core/connector'
import type { Runner } from '../statement/run-statement.ts'
import type { Statement } from '../sql.ts'
import { type ColumnTypes, readColumnTypes } from '../table/column-types.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { TableFacts } from '../table/table-facts.ts'
import { type CompileContext, compileJson } from './compile-json.ts'
import type { Pause } from './pause.ts'

/** The context of compiling the statements that write records. */
export interface CompiledContext extends Omit<CompileContext, 'typesOf'> {
  readonly runner: Pick<Runner, 'compile'>
  readonly types: TableFacts<SqlTable, ColumnTypes>
  /** The table of a model with the columns that the database has: without that of undeclared properties where it lacks one. */
  readonly presentTable: (model: ModelType) => Awaitable<SqlTable>
}

/** What is known of a query. */
export interface CompiledQuery {
  /** Undefined where the database cannot write its records, whatever is in them. */
  statement: Statement | undefined
  /** After values that cannot be written: that of this query, while others go on. */
  pause: Pause | undefined
  /** Included models whose tables lack the column of undeclared properties, with the tables that the statement is written for. */
  readonly reduced: readonly (readonly [ModelType, SqlTable])[]
}

/** Makes the function that compiles a query once, and again where a table has got the column that it lacked. */
export function createCompiledQueries(context: CompiledContext): (query: JsonQuery) => Awaitable<CompiledQuery> {
  const compiled = new WeakMap<JsonQuery, CompiledQuery>()
  const compile = async (query: JsonQuery): Promise<CompiledQuery> => {
    const made = await compileQuery(context, query)
    compiled.set(query, made)
    return made
  }
  const recheck = async (query: JsonQuery, existing: CompiledQuery): Promise<CompiledQuery> => {
    for (const [model, table] of existing.reduced)
      if ((await context.presentTable(model)) !== table) return compile(query)
    return existing
  }
  return (query) => {
    const cached = compiled.get(query)
    if (cached === undefined) return compile(query)
    return cached.reduced.length === 0 ? cached : recheck(query, cached)
  }
}

async function compileQuery(context: CompiledContext, query: JsonQuery): Promise<CompiledQuery> {
  const tables = await findTables(context, query.shape)
  const types = await loadTypes(context, [context.table, ...tables.values()])
  const tableOf = (model: ModelType): SqlTable => tables.get(model) ?? context.tableOf(model)
  const written = compileJson({ ...context, tableOf, typesOf: (table) => types.get(table) ?? noTypes }, query)
  const reduced = [...tables].filter(([model, table]) => table !== context.tableOf(model))
  return { statement: written && context.runner.compile(written), pause: undefined, reduced }
}

const noTypes: ColumnTypes = new Map()

/** What the columns of all tables of an answer are. */
async function loadTypes(
  { types, json }: CompiledContext,
  tables: readonly SqlTable[]
): Promise<ReadonlyMap<SqlTable, ColumnTypes>> {
  const loaded = new Map<SqlTable, ColumnTypes>()
  for (const table of tables) {
    const question = { table, list: () => json.listTypes(table), read: readColumnTypes }
    loaded.set(table, await types.get(table, question))
  }
  return loaded
}

/** The tables of all models whose records are included. */
async function findTables(context: CompiledContext, shape: JsonShape): Promise<ReadonlyMap<ModelType, SqlTable>> {
  const tables = new Map<ModelType, SqlTable>()
  for (const model of modelsWithin(shape)) tables.set(model, await context.presentTable(model))
  return tables
}

const modelsWithin = ({ related }: JsonShape): readonly ModelType[] =>
  related.flatMap(({ model, shape }) => [model, ...modelsWithin(shape)])
