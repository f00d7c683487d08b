import { InvalidFilter } from '@modelwire/core'
import { targetOf } from '../records/target-of.ts'
import type { IncludeTask } from './include-task.ts'
import { listOf, oneOf, type Loaded } from './loaded.ts'
import { distinctKeys, readByKeys } from './read-by-keys.ts'
import { shownKey } from './shown-key.ts'

async function readChildren(task: IncludeTask): Promise<Loaded> {
  const { relation, rows } = task
  return readByKeys(task, {
    model: targetOf(relation),
    property: relation.keyTo,
    keys: distinctKeys(rows, relation.keyFrom),
    discriminated: true,
    pages: 'each key',
    scoped: true
  })
}

/** LB3: a parent without its key fails the request, pinned by relations/include-fields and relations/custom-keys. */
function refuseMissingKeys(task: IncludeTask): void {
  const { relation, rows } = task
  if (!relation.from.registry.compat || rows.every((row) => shownKey(task, row) !== undefined)) return
  throw new InvalidFilter(`${relation.name} cannot be included without ${relation.keyFrom}`)
}

/** The list of records that hold the key of each row. @throws {InvalidFilter} a row has no key (LoopBack's way alone) */
export async function includeChildren(task: IncludeTask): Promise<readonly unknown[]> {
  refuseMissingKeys(task)
  const loaded = await readChildren(task)
  return task.rows.map((row) => listOf(loaded, loaded.groups.get(shownKey(task, row) ?? '')))
}

/** The one record that holds the key of each row. LB3: of several the last, pinned by relations/polymorphic. */
export async function includeChild(task: IncludeTask): Promise<readonly unknown[]> {
  const loaded = await readChildren(task)
  const { groups } = loaded
  const which = task.relation.from.registry.compat ? -1 : 0
  return task.rows.map((row) => oneOf(loaded, groups.get(shownKey(task, row) ?? ''), which))
}
