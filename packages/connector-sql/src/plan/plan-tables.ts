import type { PlanOptions } from '@modelwire/core/connector'
import type { SqlDialect } from '../dialect/dialect.ts'
import { RenameInvalid } from '../errors.ts'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { placeTriggers } from './place-triggers.ts'
import { planChangeLog } from './plan-change-log.ts'
import { planChecks } from './plan-checks.ts'
import { createTable } from './define-table.ts'
import { foreignKeysOf, type TableForeignKey } from './foreign-keys.ts'
import { noteColumn, noteForeign, noteGenerated, planColumns } from './plan-columns.ts'
import {
  designOf,
  type PlanContext,
  tableKey,
  tableOptionsOf,
  type TablePlan,
  type PlannedStep,
  step
} from './planned-step.ts'
import { planDrops, planPruning } from './plan-drops.ts'
import { designKey, planForeignKeys } from './plan-foreign-keys.ts'
import { planIndexes, planUnwanted } from './plan-indexes.ts'
import { planColumnRenames, readRenames, type Renames, renameTable } from './plan-renames.ts'
import { emptyState, readTableState, type TableState } from './table-state.ts'
import { indexesOf } from '../table/table-indexes.ts'

/** The planned steps, in order. */
export interface PlannedTables {
  readonly steps: readonly PlannedStep[]
  readonly notes: readonly string[]
}

/**
 * Plans the steps that bring tables in line with their models: creates missing schemas, tables, columns, indexes and
 * foreign keys, and keeps existing ones. With `empty` each table is dropped first; with `prune` columns and unique indexes
 * that no model declares are.
 * @throws {InvalidDefinition} a model's foreign key is malformed
 * @see LoopBack 3: loopback-connector, lib/sql.js, automigrate and autoupdate
 */
export async function planTables(
  context: PlanContext,
  tables: readonly SqlTable[],
  { empty, prune = false, renames, fromNothing = false }: PlanOptions
): Promise<PlannedTables> {
  const notes = new Set<string>()
  const renamed = readRenames(context.dialect, tables, renames)
  const read = { notes, former: renamed.tables, fromNothing }
  const { plans, views, steps: renamedTables } = await readPlans(context, tables, read)
  const renamedColumns = planColumnRenames(context.dialect, plans, renamed.columns)
  const schemas = await planSchemas(context, tables, fromNothing)
  const drops = empty ? planDrops(context.dialect, plans) : []
  const options = await tableOptionsOf(context)
  const collationOf = (plan: TablePlan, key: TableForeignKey): string | undefined =>
    keyCollation(context, plans, { plan, key, made: options.collation })
  const making = { notes, dropped: dropsOf(context, plans), options: options.text, collationOf }
  const made = plans.flatMap((plan) => planTable(context, plan, making))
  const keys = plans.flatMap((plan) => planForeignKeys(context, plan, notes))
  const logging = await planChangeLog(context, plans, fromNothing)
  const firsts = plans.filter((plan, at) => plans.findIndex(({ state }) => state === plan.state) === at)
  const unwanted = firsts.flatMap((plan) => planUnwanted(context, plan, { prunes: prune, notes }))
  const pruned = prune ? firsts.flatMap((plan) => planPruning(context, plan, notes)) : []
  if (!prune) for (const plan of firsts) noteForeign(context, plan, notes)
  for (const view of views) noteView(context.dialect, view, notes)
  const renamings = [...renamedTables, ...renamedColumns]
  const changed = placeTriggers(context.dialect, { log: logging, renames: renamings, made: [...drops, ...made], notes })
  const steps = [...schemas, ...changed, ...keys, ...unwanted, ...pruned]
  const [now, later] = [
    steps.filter(({ online }) => online === undefined),
    steps.filter(({ online }) => online !== undefined)
  ]
  return { steps: [...now, ...later], notes: [...notes] }
}

interface ReadPlans {
  readonly plans: readonly TablePlan[]
  /** Views, which are never changed. */
  readonly views: readonly TablePlan[]
  readonly steps: readonly PlannedStep[]
}

interface Reading {
  readonly notes: Set<string>
  readonly former: Renames['tables']
  readonly fromNothing: boolean
}

async function readPlans(context: PlanContext, tables: readonly SqlTable[], reading: Reading): Promise<ReadPlans> {
  const { dialect, foreignKeys: place, all } = context
  const { notes, former, fromNothing } = reading
  const sharing = groupTables(dialect, all)
  const taken = await readTakenNames(context, tables, fromNothing)
  const states = await readStates(context, tables, reading)
  const steps = tables.flatMap((table, at) => {
    const key = tableKey(dialect, table)
    const name = tables.findIndex((each) => tableKey(dialect, each) === key) === at ? former.get(key) : undefined
    return name === undefined ? [] : [renameTable({ table, former: name }, states.values())]
  })
  const plans: TablePlan[] = []
  for (const table of tables) {
    const key = tableKey(dialect, table)
    const state = states.get(key) ?? emptyState()
    const { keys, notes: more } = foreignKeysOf(table, place)
    for (const note of more) notes.add(note)
    const siblings = (sharing.get(key) ?? []).filter((each) => each.model !== table.model)
    const named = { table, state, former: former.get(key) }
    plans.push({ ...named, foreignKeys: keys, siblings, ...namesOf(dialect, state, taken.get(table.schema)) })
  }
  const views = plans.filter(isView)
  const left = plans.filter((plan) => !isView(plan)).map((plan) => withoutViews(dialect, plan, { views, notes }))
  return { plans: left, views, steps }
}

/** Several models may have one table. @throws {RenameInvalid} a table is not there under its former name */
async function readStates(
  context: PlanContext,
  tables: readonly SqlTable[],
  { former, fromNothing }: Reading
): Promise<ReadonlyMap<string, TableState>> {
  const { dialect } = context
  const states = new Map<string, TableState>()
  for (const table of tables) {
    const key = tableKey(dialect, table)
    if (states.has(key)) continue
    const state = fromNothing ? emptyState() : await readTableState(context, table)
    const name = former.get(key)
    states.set(key, name === undefined ? state : await readFormer(context, { table, state, name }))
  }
  return states
}

async function readFormer(
  context: PlanContext,
  { table, state, name }: { table: SqlTable; state: TableState; name: string }
): Promise<TableState> {
  if (state.exists) throw new RenameInvalid(`${name}=${table.name}: the table ${table.name} already exists`)
  const former = await readTableState(context, { ...table, name })
  if (former.exists && former.relation !== 'view') return former
  throw new RenameInvalid(`${name}=${table.name}: the table ${name} does not exist`)
}

/** What several models have of one table. */
function groupTables(dialect: SqlDialect, all: readonly SqlTable[]): ReadonlyMap<string, readonly SqlTable[]> {
  const groups = new Map<string, SqlTable[]>()
  for (const table of all) {
    const key = tableKey(dialect, table)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [table])
    else group.push(table)
  }
  return groups
}

/** Nothing refers to a view. */
function withoutViews(
  dialect: SqlDialect,
  plan: TablePlan,
  { views, notes }: { views: readonly TablePlan[]; notes: Set<string> }
): TablePlan {
  const keys = views.map(({ table }) => tableKey(dialect, table))
  const isOfView = ({ target }: TablePlan['foreignKeys'][number]): boolean => keys.includes(tableKey(dialect, target))
  for (const { name, target } of plan.foreignKeys.filter(isOfView))
    notes.add(`the foreign key ${name} is left out: ${target.name} is a view`)
  return { ...plan, foreignKeys: plan.foreignKeys.filter((key) => !isOfView(key)) }
}

function isView({ state }: TablePlan): boolean {
  return state.relation === 'view'
}

/** The names that each schema has once, those of tables that are to be made with them. */
async function readTakenNames(
  { dialect, runner }: PlanContext,
  tables: readonly SqlTable[],
  fromNothing: boolean
): Promise<ReadonlyMap<string | undefined, Set<string>>> {
  const { fold, shared } = dialect.schema.names
  const taken = new Map<string | undefined, Set<string>>()
  for (const schema of new Set(tables.map((table) => table.schema))) {
    const { rows } = fromNothing ? { rows: [] } : await runner.run(shared.list(schema), {})
    const planned = shared.of === 'indexes' ? tables.filter((table) => table.schema === schema) : []
    const names = [...rows.map((row) => String(row['name'])), ...planned.map(({ name }) => name)]
    taken.set(schema, new Set(names.map(fold)))
  }
  return taken
}

function namesOf(
  { schema }: SqlDialect,
  state: TableState,
  taken: Set<string> | undefined
): Pick<TablePlan, 'indexNames' | 'keyNames'> {
  const { fold, shared } = schema.names
  const own = (list: readonly { readonly name: string }[]): Set<string> => new Set(list.map(({ name }) => fold(name)))
  const [indexNames, keyNames] = [own(state.indexes), own(state.foreignKeys)]
  if (taken === undefined) return { indexNames, keyNames }
  return shared.of === 'indexes' ? { indexNames: taken, keyNames } : { indexNames, keyNames: taken }
}

async function planSchemas(
  { dialect, runner }: PlanContext,
  tables: readonly SqlTable[],
  fromNothing: boolean
): Promise<readonly PlannedStep[]> {
  const { schemas } = dialect.schema
  const steps: PlannedStep[] = []
  for (const schema of new Set(tables.map((table) => table.schema))) {
    if (schema === undefined || schemas === undefined) continue
    if (!fromNothing && (await runner.run(schemas.find(schema), {})).rows.length > 0) continue
    const shared = { kind: 'createSchema', model: undefined, destructive: false, table: undefined } as const
    steps.push({ ...shared, description: `the schema ${schema}`, sql: schemas.create(schema) })
  }
  return steps
}

/** What stands before `drop table`: SQLite looks at foreign keys at once unless it is told to wait until all is done. */
function dropsOf({ dialect }: PlanContext, plans: readonly TablePlan[]): readonly Sql[] {
  const refers = plans.some(({ foreignKeys }) => foreignKeys.length > 0)
  return dialect.schema.addsForeignKeys || !refers ? [] : [sql`pragma defer_foreign_keys = on`]
}

/** The context for creating tables. */
interface Making {
  readonly notes: Set<string>
  readonly dropped: readonly Sql[]
  readonly options: string
  readonly collationOf: (plan: TablePlan, key: TableForeignKey) => string | undefined
}

const isMade = ({ state }: TablePlan): boolean => state.isNew || !state.exists

/** The collation of the column that a key leads to, where the new column of the key would have another one. @param made that of new tables */
function keyCollation(
  { dialect }: PlanContext,
  plans: readonly TablePlan[],
  { plan, key, made }: { plan: TablePlan; key: TableForeignKey; made: string | undefined }
): string | undefined {
  const target = plans.find(({ table }) => tableKey(dialect, table) === tableKey(dialect, key.target))
  if (made === undefined || target === undefined) return undefined
  const existing = target.state.columns.get(dialect.schema.names.fold(key.targetColumn.name))?.collation
  const wanted = isMade(target) ? made : existing || undefined
  return wanted === made && isMade(plan) ? undefined : wanted
}

function planTable(
  context: PlanContext,
  plan: TablePlan,
  { notes, dropped, options, collationOf }: Making
): readonly PlannedStep[] {
  const { dialect } = context
  const { table, state, foreignKeys } = plan
  const design = { ...designOf(context, plan), collationOf: (key: TableForeignKey) => collationOf(plan, key) }
  const what = `the table ${table.name}`
  const back = { run: [...dropped, sql`drop table ${table.sql}`], loses: `${what} with all of its records` }
  const columns = state.exists
    ? planColumns(design, plan, notes)
    : [step('createTable', table, what, createTable(design, options), back), ...planDistribution(dialect, table, notes)]
  // Where keys are part of the table, it is made with them.
  if (!state.exists && !dialect.schema.addsForeignKeys)
    state.foreignKeys.push(...foreignKeys.map((key) => designKey(key, key.name)))
  state.isNew ||= !state.exists
  state.exists = true
  for (const column of table.columns) noteColumn(design, state, column)
  noteGenerated(design, plan, notes)
  return [...columns, ...planChecks(context, plan, notes), ...planIndexes(context, plan, !state.isNew)]
}

function noteView({ schema }: SqlDialect, { table, state }: TablePlan, notes: Set<string>): void {
  const { fold } = schema.names
  for (const { name } of table.columns.filter((column) => !state.columns.has(fold(column.name))))
    notes.add(`the view ${table.name} has no column ${name}: migrations do not change views`)
}

/** Distributes the records of a new table in its cluster, where the model says by what. What the cluster will refuse goes into `notes`. */
function planDistribution(dialect: SqlDialect, table: SqlTable, notes: Set<string>): readonly PlannedStep[] {
  const { distributedBy: by, name } = table
  const { distribute } = dialect.schema
  if (by === undefined || distribute === undefined) return []
  for (const index of indexesOf(table))
    if (index.unique && !index.parts.some(({ column }) => column === by))
      notes.add(
        `the unique index ${index.name} does not contain the column ${by.name}, by which the table ${name} is distributed`
      )
  return [step('distributeTable', table, `the distribution of the table ${name} by ${by.name}`, distribute(table, by))]
}
