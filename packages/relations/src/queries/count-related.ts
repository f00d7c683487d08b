import { keyText } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { readingWithin, Records, repository, type Restriction } from '@modelwire/core/plugin'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { relationScope, writtenScope } from '../records/relation-scope.ts'
import { targetOf } from '../records/target-of.ts'
import { rightsToMany } from '../include/include-rights.ts'
import { type IncludeTask, shownKey, shownKeys } from '../include/read-by-keys.ts'

/** How many related records a client may list, for each row: grouped by the database where they hold the key. */
export async function countRelated(task: IncludeTask): Promise<readonly number[]> {
  const { relation } = task
  const { limit, skip } = writtenScope(relation, undefined)
  const isPaged = Boolean(limit) || Boolean(skip) || typeof relation.settings.scope === 'function'
  const holdsParentKey = !relation.embeds && relation.holdsKey === undefined && relation.through === undefined
  if (!holdsParentKey || isPaged) return countIncluded(task)
  const keyed = { property: relation.keyTo, values: shownKeys(task) }
  return countByKey(task, await rightsToMany(task, targetOf(relation), keyed))
}

/** Counts those that hold the key of each row. */
export async function countByKey(task: IncludeTask, restriction: Restriction | undefined): Promise<readonly number[]> {
  const { relation, rows, filter, call } = task
  const [model, property, values] = [targetOf(relation), relation.keyTo, shownKeys(task)]
  if (values.length === 0) return rows.map(() => 0)
  const scope = relationScope(relation, { model, property, values, discriminated: true })
  const query = { scope, filter: filter?.['where'], call: readingWithin(call), restriction }
  const counts = new Map<string | undefined, number>()
  for (const { value, count } of await repository.countBy(model, query, property)) counts.set(keyText(value), count)
  return rows.map((row) => counts.get(shownKey(task, row)) ?? 0)
}

/** Those whose keys are somewhere else are included, with nothing but their keys. */
async function countIncluded(task: IncludeTask): Promise<readonly number[]> {
  const { relation, filter } = task
  const fields = relation.embeds ? undefined : [relation.keyTo]
  const lists = await behaviourOf(relation).include({ ...task, filter: { ...filter, fields } })
  return lists.map(lengthOf)
}

function lengthOf(list: unknown): number {
  if (list instanceof Records) return list.rows.length
  if (Array.isArray(list)) return list.length
  return isPlainObject(list) ? 1 : 0
}
