import {
  type Collection,
  type Condition,
  type Filter,
  type Id,
  keepCompiled,
  KeyIncomplete,
  LockOutsideTransaction,
  type Row
} from '@modelwire/core/connector'
import { aggregateRows } from '../find/aggregate-rows.ts'
import { countedParts, readWithin, selectRows, columnList } from '../find/select-rows.ts'
import { changedRows, type Runner } from '../statement/run-statement.ts'
import { type Sql, sql } from '../sql.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { isRowWith, onlyRowIn } from '../where/row-key.ts'
import { insertRows, type WriteContext } from '../write/insert-rows.ts'
import { assignments, storedValue, valueOf } from '../write/row-values.ts'
import { changeRow } from '../write/written-values.ts'
import { upsertRow } from '../write/upsert-row.ts'

/** A page has no more rows. */
const pageRows = 100

/**
 * The collection of one model in its table. Every method is one statement unless documented otherwise. Statements of
 * methods that only read are run by `reader`.
 */
export function createCollection(context: WriteContext, reader: Runner): Collection {
  return { ...createReads({ ...context, runner: reader }), ...createAdditions(context), ...createChanges(context) }
}

type Reads = Pick<Collection, 'find' | 'findInParts' | 'findById' | 'count' | 'aggregate'>

function createReads(context: WriteContext): Reads {
  const { table, runner } = context
  const compileFind = keepCompiled((filter: Filter) => {
    const select = selectRows(context, filter)
    const { atMost, limit = Infinity } = filter
    return { query: { ...runner.compile(select.sql), atMost, readsFew: limit <= pageRows }, columns: select.columns }
  })
  const compileCount = keepCompiled((where: Condition) => runner.compile(countRows(context, where)))
  return {
    find: (filter, { signal } = {}) => {
      if (filter.lock !== undefined && !runner.isInTransaction())
        throw new LockOutsideTransaction('row locks require a transaction')
      const { query, columns } = compileFind(filter)
      return readWithin(
        runner.read(signal === undefined ? query : { ...query, signal }, columns, { table }),
        filter.atMost
      )
    },
    findInParts: async (filter, { signal } = {}) => {
      const { query, columns } = compileFind(filter)
      const parts = await runner.readInParts({ ...query, signal }, columns, { table })
      return parts && countedParts(parts, filter.atMost)
    },
    findById: createFindById(context),
    aggregate: (query, { signal } = {}) => {
      const select = aggregateRows(context, query)
      return select && runner.read({ ...runner.compile(select.sql), signal }, select.columns, { table })
    },
    async count(where, { signal } = {}) {
      const written = where === undefined ? runner.compile(countRows(context, where)) : compileCount(where)
      const query = { ...written, signal }
      const { rows } = await runner.run(query, { table })
      return Number(rows[0]?.['count'])
    }
  }
}

function createFindById(context: WriteContext): Collection['findById'] {
  const { table, runner } = context
  const { columns } = table
  if (table.key.length === 0) return async () => undefined
  // Written once: it has no parameters.
  const { sql: text } = runner.compile(sql`select ${columnList(columns)} from ${table.sql} where `)
  const select = sql.raw(text)
  const place = { table }
  return async (value: Id, { signal } = {}) => {
    const where = isRowWith(context, value)
    if (where === undefined) return undefined
    const statement = runner.compile(sql`${select}${where}`)
    const rows = await runner.read({ isLookup: true, readsFew: true, ...statement, signal }, columns, place)
    if (rows.length > 1 && !table.model.registry.rules.changesAllOfId)
      throw new KeyIncomplete(
        `several records of ${table.model.name} have this ${table.key.map(({ property }) => property.name).join(', ')}: find them by a condition`
      )
    return rows[0]
  }
}

function createAdditions(context: WriteContext): Pick<Collection, 'insert' | 'upsert'> {
  return {
    insert: async (rows) => insertRows(context, rows),
    upsert: async (row, defaults) => upsertRow(context, row, defaults)
  }
}

function createChanges(context: WriteContext): Pick<Collection, 'update' | 'patch' | 'replace' | 'delete'> {
  const { dialect, table, runner } = context
  const changing = { ...context, changes: true }
  const change = async (statement: Sql, where: Condition | undefined, row?: Row): Promise<number> =>
    changedRows(await runner.run(sql`${statement}${whereClause(changing, where)}`, { table, row }))
  return {
    async update(where, patch) {
      const changes = assignments(dialect, table, patch)
      const statement = sql`update ${table.sql} set ${sql.join(changes)}`
      const changesMore = changes.length > 0 && table.changing !== undefined && table.changing.length > 0
      const only = changesMore ? onlyRowIn(context, where) : undefined
      if (only !== undefined)
        return changeRow(context, { only, row: patch, statement: sql`${statement}${whereClause(changing, where)}` })
      if (changes.length > 0) return change(statement, where, patch)
      const { rows } = await runner.run(countRows(context, where), { table })
      return Number(rows[0]?.['count'])
    },
    async patch(where, patch) {
      const changes = assignments(dialect, table, patch)
      if (changes.length === 0 || !dialect.returning) return undefined
      const statement = sql`update ${table.sql} set ${sql.join(changes)}${whereClause(changing, where)} returning ${columnList(table.columns)}`
      const [row] = await runner.read(statement, table.columns, { table, row: patch })
      return row
    },
    replace: async (id, row, where) => replaceRow(changing, { id, row, where }),
    delete: async (where) => change(sql`delete from ${table.sql}`, where)
  }
}

/** A row that replaces the one with this id, if that matches. */
interface Replacement {
  readonly id: Id
  readonly row: Row
  readonly where: Condition | undefined
}

/** What the new row lacks becomes null, unless the database fills it and refuses null. */
async function replaceRow(context: WriteContext, { id, row, where: condition }: Replacement): Promise<boolean> {
  const { dialect, table, runner } = context
  const only = isRowWith(context, id)
  if (only === undefined) return false
  const within = condition === undefined ? sql`` : sql` and (${compileCondition(context, condition)})`
  const where = sql`where ${only}${within}`
  const kept = table.columns.filter((column) => column.fillsItself === true && valueOf(column, row) === undefined)
  const changes = table.columns
    .filter((column) => !table.key.includes(column) && column.isComputed !== true && !kept.includes(column))
    .map((column) => sql`${column.sql} = ${storedValue(dialect, column, row)}`)
  if (changes.length === 0) {
    const { rows } = await runner.run(sql`select 1 as ${sql.id('found')} from ${table.sql} ${where}`, { table })
    return rows.length > 0
  }
  const statement = sql`update ${table.sql} set ${sql.join(changes)} ${where}`
  return (await changeRow(context, { only: () => only, row, statement, kept })) > 0
}

function countRows(context: WriteContext, where: Condition | undefined): Sql {
  return sql`select count(*) as ${sql.id('count')} from ${context.table.sql}${whereClause(context, where)}`
}

function whereClause(context: WriteContext, where: Condition | undefined): Sql {
  return where === undefined ? sql`` : sql` where ${compileCondition(context, where)}`
}
