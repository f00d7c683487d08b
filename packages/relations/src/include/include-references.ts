import { type Row, keyText } from '@modelwire/core/connector'
import { readingWithin, type Records } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { targetOf } from '../records/target-of.ts'
import { rightsToMany } from './include-rights.ts'
import { type IncludeTask, readByKeys } from './read-by-keys.ts'
import { listAt } from './loaded.ts'
import { embeddedRecords, scopedRows, withScopeInclude } from '../records/select-embedded.ts'

function keysOf({ relation, fields }: IncludeTask, row: Row): readonly unknown[] {
  const { keyFrom, from } = relation
  const keys = row[keyFrom]
  // LB3: keys that `fields` leaves out lead nowhere, pinned by relations/references-many-numbers
  const isHidden = from.registry.rules.needsShownKeys && fields !== undefined && !fields.has(keyFrom)
  return Array.isArray(keys) && !isHidden ? keys : []
}

/**
 * Includes the list of records whose keys each row contains, in the order of the keys unless another one is requested. LB3:
 * always in that order.
 */
export async function includeReferences(task: IncludeTask): Promise<readonly unknown[]> {
  const { relation, rows, filter } = task
  const keys = new Map<string, unknown>()
  for (const row of rows) for (const key of keysOf(task, row)) keys.set(keyText(key) ?? '', key)
  const model = targetOf(relation)
  const restriction = await rightsToMany(task, model)
  const loaded = await readByKeys(task, {
    model,
    property: relation.keyTo,
    keys: [...keys.values()],
    discriminated: false,
    pages: 'none',
    scoped: true,
    restriction
  })
  const { groups, page } = loaded
  const { skip, limit = Infinity } = page
  const { pagesEachRecord } = relation.from.registry.rules
  const isOrdered = !pagesEachRecord && isPlainObject(filter) && Boolean(filter['order'])
  // LB3: each record is a page of its own
  const first = pagesEachRecord && skip > 0 ? Infinity : skip
  const end = pagesEachRecord ? Infinity : skip + limit
  return rows.map((row) => {
    const found = keysOf(task, row).flatMap((key) => groups.get(keyText(key) ?? '')?.positions ?? [])
    const positions = isOrdered ? found.toSorted((a, b) => a - b) : found
    return listAt(loaded, positions.slice(first, end))
  })
}

function partsOf({ relation, fields }: IncludeTask, row: Row): readonly Row[] {
  const { keyFrom, from } = relation
  // LB3: a property that `fields` leaves out is not there
  if (from.registry.rules.needsShownKeys && fields !== undefined && !fields.has(keyFrom)) return []
  const value: unknown = row[keyFrom]
  return (Array.isArray(value) ? value : [value]).filter(isPlainObject)
}

/** Includes the embedded records of each row as a list, selected by the relation's scope, with nested includes. */
export async function includeEmbeddedMany(task: IncludeTask): Promise<Records[]> {
  const { relation, rows, call } = task
  const parts = rows.map((row) => scopedRows({ relation, parent: row }, partsOf(task, row)))
  const filter = withScopeInclude({ relation, parent: rows[0] ?? {} }, task.filter)
  return embeddedRecords(parts, { model: targetOf(relation), filter, call: readingWithin(call) })
}

/** Includes the embedded record of each row. */
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
