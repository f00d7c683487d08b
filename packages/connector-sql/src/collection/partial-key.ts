import { type Collection, type Condition, KeyIncomplete } from '@modelwire/core/connector'
import { type Sql, sql } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { idOf, isRow, keyTests } from '../where/row-key.ts'
import type { WriteContext } from '../write/insert-rows.ts'
import type { Upserted } from '../write/upsert-row.ts'

/**
 * The collection of a table whose primary key has more columns than the model's id: a write that names an id is refused
 * where several rows match, before it changes any of them.
 */
export function guardPartialKey(collection: Collection, context: WriteContext): Collection {
  const { table, runner } = context
  const byCondition = async <Result>(where: Condition | undefined, work: () => Promise<Result>): Promise<Result> =>
    where !== undefined && keyTests(table, where) !== undefined ? alone(compileCondition(context, where), work) : work()
  const alone = async <Result>(where: Sql, work: () => Promise<Result>): Promise<Result> =>
    runner.atomically(async () => {
      if ((await countLocked(context, where)) > 1) throw keyIncomplete(table)
      const result = await work()
      // Another transaction may have stored a second row meanwhile.
      if ((await countLocked(context, where)) > 1) throw runner.conflict('another transaction stored the same id')
      return result
    })
  const byId = (id: unknown): Sql | undefined => (table.key.length === 0 ? undefined : isRow(context, id))
  return {
    ...collection,
    update: async (where, patch) => byCondition(where, async () => collection.update(where, patch)),
    patch: async (where, patch) => byCondition(where, async () => collection.patch?.(where, patch)),
    delete: async (where) => byCondition(where, async () => collection.delete(where)),
    async replace(id, row, where) {
      const same = byId(id)
      const within = where === undefined ? sql`` : sql` and (${compileCondition(context, where)})`
      const work = async (): Promise<boolean> => collection.replace(id, row, where)
      return same === undefined ? work() : alone(sql`${same}${within}`, work)
    },
    async upsert(row, defaults) {
      const id = idOf(table, row)
      const same = id === undefined ? undefined : byId(id)
      const work = async (): Promise<Upserted> => collection.upsert(row, defaults)
      return same === undefined ? work() : alone(same, work)
    }
  }
}

/** The rows that match, which no other transaction can change from then on. */
async function countLocked({ dialect, table, runner }: WriteContext, where: Sql): Promise<number> {
  const select = sql`select 1 as ${sql.id('found')} from ${table.sql} where ${where}${dialect.forUpdate}`
  return (await runner.run(select, { table })).rows.length
}

function keyIncomplete({ model, key, partialKey = [] }: SqlTable): KeyIncomplete {
  const { name } = model
  return new KeyIncomplete(
    `several records of ${name} have this ${key.map(({ property }) => property.name).join(', ')}, since the primary key also has ${partialKey.join(', ')}: name these in a condition of \`updateAll\` or \`destroyAll\``
  )
}
