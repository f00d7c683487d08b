import type { MigrationStep, PlanOptions } from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import type { Runner } from '../run-statement.ts'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import {
  addColumn,
  columnsOf,
  createIndex,
  createTable,
  defineForeignKey,
  isRequired,
  type TableDesign,
  typeText
} from './define-table.ts'
import { findDrift } from './find-drift.ts'
import { foreignKeysOf, type ForeignKeyPlace, type TableForeignKey } from './foreign-keys.ts'
import { planDrops } from './plan-drops.ts'
import { indexesOf, type TableIndex } from './table-indexes.ts'
import type { OnlineIndex } from './schema-dialect.ts'
import { readTableState, type TableState } from './table-state.ts'

/** A step with the statement as it is run. */
export interface PlannedStep extends Omit<MigrationStep, 'statement'> {
  readonly sql: Sql
  readonly table: SqlTable | undefined
  /** A unique index that is made over records which are there. */
  readonly unique?: TableIndex | undefined
  /** It is run when the migration's transaction is over, and keeps nobody from writing. */
  readonly online?: OnlineIndex | undefined
}

/** What is to be done, in order. */
export interface PlannedTables {
  readonly steps: readonly PlannedStep[]
  readonly notes: readonly string[]
}

/** What a plan works with. */
export interface PlanContext {
  readonly dialect: SqlDialect
  readonly runner: Runner
  readonly foreignKeys: ForeignKeyPlace
}

/** A table with what the database has of it and what it is to have. */
export interface TablePlan {
  readonly table: SqlTable
  readonly state: TableState
  readonly foreignKeys: readonly TableForeignKey[]
}

/**
 * What makes tables ready for their models: it creates what is missing of schemas, tables, columns, indexes and foreign
 * keys, and leaves alone what is there. With `empty` each table is dropped first, with `prune` columns that no model has.
 * @throws {InvalidDefinition} a model's foreign key is malformed
 * @see LoopBack 3: loopback-connector, lib/sql.js, automigrate and autoupdate
 */
export async function planTables(
  context: PlanContext,
  tables: readonly SqlTable[],
  { empty, prune = false }: PlanOptions
): Promise<PlannedTables> {
  const { dialect } = context
  const notes: string[] = []
  const plans = await readPlans(context, tables, notes)
  const drops = empty ? planDrops(dialect, plans) : []
  const made = plans.flatMap((plan) => planTable(context, plan, empty ? [] : notes))
  const keys = plans.flatMap((plan) => planForeignKeys(dialect, plan, notes))
  const pruned = prune ? plans.flatMap(({ state, table }) => planPruning(state, table, tables)) : []
  const steps = [...planSchemas(dialect, tables), ...drops, ...made, ...keys, ...pruned]
  const [now, later] = [
    steps.filter(({ online }) => online === undefined),
    steps.filter(({ online }) => online !== undefined)
  ]
  return { steps: [...now, ...later], notes }
}

async function readPlans(
  { dialect, runner, foreignKeys: place }: PlanContext,
  tables: readonly SqlTable[],
  notes: string[]
): Promise<readonly TablePlan[]> {
  const states = new Map<string, TableState>()
  const plans: TablePlan[] = []
  for (const table of tables) {
    const key = tableKey(table)
    const state = states.get(key) ?? (await readTableState(dialect, runner, table))
    // Several models may have one table.
    states.set(key, state)
    const { keys, notes: more } = foreignKeysOf(table, place)
    notes.push(...more)
    plans.push({ table, state, foreignKeys: keys })
  }
  return plans
}

function planSchemas({ schema: dialect }: SqlDialect, tables: readonly SqlTable[]): readonly PlannedStep[] {
  return [...new Set(tables.map(({ schema }) => schema))].flatMap((schema) => {
    const statement = schema === undefined ? undefined : dialect.createSchema(schema)
    if (statement === undefined) return []
    const description = `the schema ${schema}, where there is none`
    return [
      { kind: 'createSchema', model: undefined, description, destructive: false, sql: statement, table: undefined }
    ]
  })
}

function planTable(
  { dialect, foreignKeys: place }: PlanContext,
  plan: TablePlan,
  notes: string[]
): readonly PlannedStep[] {
  const { table, state, foreignKeys } = plan
  const design: TableDesign = { dialect, table, foreignKeys, tableOf: place.tableOf }
  const steps = state.exists ? [] : [step('createTable', table, `the table ${table.name}`, createTable(design))]
  const missing = state.exists ? table.columns.filter(({ name }) => !state.columns.has(name)) : []
  const changed = state.exists ? planChanges(design, state, notes) : []
  const hasRecords = state.exists
  state.exists = true
  for (const column of table.columns)
    if (!state.columns.has(column.name))
      state.columns.set(column.name, { type: typeText(design, column), isRequired: isRequired(column) })
  const columns = missing.map((column) =>
    step('addColumn', table, `the column ${column.name} of ${table.name}`, addColumn(design, column))
  )
  return [...steps, ...columns, ...changed, ...planIndexes(dialect, table, { ...state, hasRecords })]
}

/** What has drifted from the model since the table was made. */
function planChanges(design: TableDesign, { columns }: TableState, notes: string[]): readonly PlannedStep[] {
  const { dialect, table } = design
  return table.columns.flatMap((column) => {
    const known = columns.get(column.name)
    if (known === undefined) return []
    const wanted = typeText(design, column)
    const { change, notes: more } = findDrift(dialect, { table, column, known, wanted })
    for (const note of more) if (!notes.includes(note)) notes.push(note)
    const what = `the column ${column.name} of ${table.name} as ${wanted}`
    return change === undefined ? [] : [step('alterColumn', table, what, change)]
  })
}

function planIndexes(
  dialect: SqlDialect,
  table: SqlTable,
  { indexes, hasRecords }: Pick<TableState, 'indexes'> & { readonly hasRecords: boolean }
): readonly PlannedStep[] {
  return indexesOf(table).flatMap((index) => {
    const columns = columnsOf(index)
    if (indexes.some((known) => known.columns === columns && (known.unique || !index.unique))) return []
    indexes.push({ columns, unique: index.unique })
    const what = `${index.unique ? 'the unique index' : 'the index'} ${index.name} of ${table.name} (${columns})`
    if (!hasRecords) return [step('createIndex', table, what, createIndex(dialect, table, index))]
    const { online } = dialect.schema
    const made = step('createIndex', table, what, createIndex(dialect, table, index, online?.kind))
    return [{ ...made, unique: index.unique ? index : undefined, online: online?.indexOf(index.name, table) }]
  })
}

/** They come when all tables are there. */
function planForeignKeys(dialect: SqlDialect, plan: TablePlan, notes: string[]): readonly PlannedStep[] {
  const { table, state, foreignKeys } = plan
  return foreignKeys.flatMap((key) => {
    const { name, column, target } = key
    const isKnown = state.foreignKeys.some(
      (known) => known.columns.join() === column.name && known.target.toLowerCase() === target.name.toLowerCase()
    )
    if (isKnown) return []
    state.foreignKeys.push({ name, columns: [column.name], target: target.name })
    if (dialect.schema.addsForeignKeys) {
      const statement = sql`alter table ${table.sql} add ${defineForeignKey(key)}`
      return [step('addForeignKey', table, `the foreign key ${name} of ${table.name}`, statement)]
    }
    notes.push(`the foreign key ${name} is left out: the table ${table.name} exists, and this database adds none to it`)
    return []
  })
}

function planPruning(state: TableState, table: SqlTable, all: readonly SqlTable[]): readonly PlannedStep[] {
  const same = all.filter((each) => tableKey(each) === tableKey(table))
  if (same[0] !== table) return []
  const wanted = new Set(same.flatMap(({ columns }) => columns.map(({ name }) => name)))
  return [...state.columns.keys()]
    .filter((name) => !wanted.has(name))
    .map((name) => {
      const statement = sql`alter table ${table.sql} drop column ${sql.id(name)}`
      return { ...step('dropColumn', table, `the column ${name} of ${table.name}`, statement), destructive: true }
    })
}

/** A step for one table that loses nothing. */
export function step(kind: PlannedStep['kind'], table: SqlTable, description: string, statement: Sql): PlannedStep {
  return { kind, model: table.model.name, description, destructive: false, sql: statement, table }
}

/** Two models with the same one have one table. */
function tableKey({ schema, name }: SqlTable): string {
  return JSON.stringify([schema, name])
}
