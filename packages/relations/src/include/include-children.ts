import { InvalidFilter } from '@modelwire/core'
import { asServer, type Restriction } from '@modelwire/core/plugin'
import { keyText } from '@modelwire/core/connector'
import { targetOf } from '../records/target-of.ts'
import { rightsToEach, rightsToMany } from './include-rights.ts'
import { type IncludeTask, shownKey, shownKeys, readByKeys } from './read-by-keys.ts'
import { idsOfGroup, listOf, oneOf, type Loaded } from './loaded.ts'

interface ChildrenRead {
  readonly keys: readonly unknown[]
  readonly restriction: Restriction | undefined
}

async function readChildren(task: IncludeTask, { keys, restriction }: ChildrenRead): Promise<Loaded> {
  const { relation } = task
  return readByKeys(task, {
    model: targetOf(relation),
    property: relation.keyTo,
    keys,
    discriminated: true,
    pages: 'each key',
    scoped: true,
    restriction
  })
}

/**
 * LB3: a parent without its key fails the request, pinned by relations/include-fields and relations/custom-keys. One whose records
 * include others in turn has none.
 */
function refuseMissingKeys(task: IncludeTask): void {
  const { relation, rows, filter } = task
  if (filter?.['include'] !== undefined) return
  if (!relation.from.registry.rules.needsShownKeys || rows.every((row) => shownKey(task, row) !== undefined)) return
  throw new InvalidFilter(`${relation.name} cannot be included without ${relation.keyFrom}`)
}

/**
 * Includes the list of records that contain the key of each row.
 * @throws {InvalidFilter} a row has no key (only in LoopBack's way)
 */
export async function includeChildren(task: IncludeTask): Promise<readonly unknown[]> {
  refuseMissingKeys(task)
  const { relation, rows } = task
  const keys = shownKeys(task)
  const keyed = { property: relation.keyTo, values: keys }
  const restriction = await rightsToMany(task, targetOf(relation), keyed)
  const loaded = await readChildren(task, { keys, restriction })
  return rows.map((row) => listOf(loaded, loaded.groups.get(shownKey(task, row) ?? '')))
}

/** LB3: of several records that hold a key the last, pinned by relations/polymorphic. */
const whichOf = ({ relation }: IncludeTask): 0 | -1 => (relation.from.registry.rules.includesLastOfOne ? -1 : 0)

/** The ids of the records that hold each key, unrestricted. */
async function idsOfChildren(task: IncludeTask, keys: readonly unknown[]): Promise<readonly (readonly unknown[])[]> {
  const model = targetOf(task.relation)
  const plain = { ...task, filter: undefined, call: asServer(task.call) }
  const { groups } = await readChildren(plain, { keys, restriction: undefined })
  return keys.map((key) => idsOfGroup(model, groups.get(keyText(key) ?? '')))
}

/** Includes the one record that contains the key of each row. */
export async function includeChild(task: IncludeTask): Promise<readonly unknown[]> {
  const { relation, rows } = task
  const keys = shownKeys(task)
  const keyed = { property: relation.keyTo, values: keys }
  const restriction = await rightsToEach(task, targetOf(relation), () => idsOfChildren(task, keys), keyed)
  const loaded = await readChildren(task, { keys, restriction })
  return rows.map((row) => oneOf(loaded, loaded.groups.get(shownKey(task, row) ?? ''), whichOf(task)))
}
