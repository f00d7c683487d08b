import type { Row } from '@modelwire/core/connector'
import { isPlainObject, readingWithin, type Records } from '@modelwire/core/plugin'
import { embeddedRecords, scopedRows, withScopeInclude } from '../records/select-embedded.ts'
import { targetOf } from '../records/target-of.ts'
import type { IncludeTask } from './include-task.ts'

function partsOf({ relation, fields }: IncludeTask, row: Row): readonly Row[] {
  const { keyFrom, from } = relation
  // LB3: a property that `fields` leaves out is not there
  if (from.registry.rules.needsShownKeys && fields !== undefined && !fields.has(keyFrom)) return []
  const value: unknown = row[keyFrom]
  return (Array.isArray(value) ? value : [value]).filter(isPlainObject)
}

/** The embedded records of each row as a list: those of the relation's scope, with what it includes. */
export async function includeEmbeddedMany(task: IncludeTask): Promise<Records[]> {
  const { relation, rows, call } = task
  const parts = rows.map((row) => scopedRows({ relation, parent: row }, partsOf(task, row)))
  const filter = withScopeInclude({ relation, parent: rows[0] ?? {} }, task.filter)
  return embeddedRecords(parts, { model: targetOf(relation), filter, call: readingWithin(call) })
}

/** The embedded record of each row. */
export async function includeEmbeddedOne(task: IncludeTask): Promise<readonly (Records | null | undefined)[]> {
  const { relation, rows, filter, call } = task
  // LB3: it is included whatever the scope is
  const innerFilter = relation.from.registry.rules.includesWholeEmbedded ? { include: filter?.['include'] } : filter
  const parts = rows.map((row) => partsOf(task, row))
  const query = { model: targetOf(relation), filter: innerFilter, call: readingWithin(call) }
  const lists = await embeddedRecords(parts, query)
  return lists.map((records, at) => {
    if (records.rows.length > 0) return records.pick([0], true)
    return rows[at]?.[relation.keyFrom] === null ? null : undefined
  })
}
