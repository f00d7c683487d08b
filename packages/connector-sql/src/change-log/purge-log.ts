import { type Sql, sql } from '../sql.ts'
import type { Runner } from '../statement/run-statement.ts'
import type { LogPlace } from './log-positions.ts'
import type { LogTable } from './log-table.ts'

/** Entries that are removed at once. */
const chunk = 1000
const [id, batch] = [sql.id('id'), sql.id('batch')]

/**
 * Removes the entries that were made before a time in milliseconds; gives how many there were. Readers learn what was purged before it
 * is gone.
 */
export async function purgeLog(runner: Runner, { log, counter }: LogTable, before: number): Promise<number> {
  let removed = 0
  for (;;) {
    const made = sql.id('made_at')
    const { rows } = await runner.run(
      sql`select ${id}, ${batch}, ${made} from ${log} where ${batch} is not null order by ${batch}, ${id} limit ${sql.lit(chunk)}`,
      {}
    )
    const kept = rows.findIndex((row) => Number(row['made_at']) >= before)
    const last = rows.at(kept === -1 ? -1 : kept - 1)
    if (last === undefined || kept === 0) return removed
    const to: LogPlace = { batch: Number(last['batch']), id: Number(last['id']) }
    removed += await removeTo(runner, { log, counter }, to)
    if (kept !== -1) return removed
  }
}

async function removeTo(
  runner: Runner,
  { log, counter }: Pick<LogTable, 'log' | 'counter'>,
  to: LogPlace
): Promise<number> {
  const { numAffectedRows } = await runner.atomically(async () => {
    const set = sql`${sql.id('purged_batch')} = ${to.batch}, ${sql.id('purged_id')} = ${to.id}`
    const [marked, markedId] = [sql.id('purged_batch'), sql.id('purged_id')]
    const isLower = sql`${marked} < ${to.batch} or (${marked} = ${to.batch} and ${markedId} < ${to.id})`
    await runner.run(sql`update ${counter} set ${set} where ${isLower}`, {})
    const older: Sql = sql`${batch} < ${to.batch} or (${batch} = ${to.batch} and ${id} <= ${to.id})`
    return runner.run(sql`delete from ${log} where ${older}`, {})
  })
  return Number(numAffectedRows ?? 0)
}
