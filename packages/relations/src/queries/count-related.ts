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
  return (await countByKey(task, await rightsToMany(task, targetOf(relation), keyed))) ?? countIncluded(task)
}

/** Counts those that hold the key of each row; undefined if the database cannot group by the key. */
async function countByKey(
  task: IncludeTask,
  restriction: Restriction | undefined
): Promise<readonly number[] | undefined> {
  const { relation, rows, filter, call, keysPerQuery } = task
  const [model, property, keys] = [targetOf(relation), relation.keyTo, shownKeys(task)]
  const counts = new Map<string | undefined, number>()
  for (let at = 0; at < keys.length; at += keysPerQuery) {
    const values = keys.slice(at, at + keysPerQuery)
    const scope = relationScope(relation, { model, property, values, discriminated: true })
    const query = { scope, filter: filter?.['where'], call: readingWithin(call), restriction }
    const groups = await repository.countBy(model, query, property)
    if (groups === undefined) return undefined
    for (const { value, count } of groups) counts.set(keyText(value), count)
  }
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
