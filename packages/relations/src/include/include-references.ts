import type { Row } from '@modelwire/core/connector'
import { isPlainObject, keyText } from '@modelwire/core/plugin'
import { targetOf } from '../records/target-of.ts'
import { rightsToMany } from './include-rights.ts'
import type { IncludeTask } from './include-task.ts'
import { listAt } from './loaded.ts'
import { readByKeys } from './read-by-keys.ts'

function keysOf({ relation, fields }: IncludeTask, row: Row): readonly unknown[] {
  const { keyFrom, from } = relation
  const keys = row[keyFrom]
  // LB3: keys that `fields` leaves out lead nowhere, pinned by relations/references-many-numbers
  const isHidden = from.registry.rules.needsShownKeys && fields !== undefined && !fields.has(keyFrom)
  return Array.isArray(keys) && !isHidden ? keys : []
}

/**
 * The list of records whose keys each row holds, in the order of the keys unless another one is requested. LB3: always
 * in that order.
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
