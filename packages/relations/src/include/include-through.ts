import { checkRowCount, type Row, keyText } from '@modelwire/core/connector'
import { targetOf, throughOf } from '../records/target-of.ts'
import { checkKeyIsRead, rightsToMany } from './include-rights.ts'
import { type IncludeTask, shownKey, shownKeys, distinctKeys, readByKeys } from './read-by-keys.ts'
import { listAt, type Loaded } from './loaded.ts'
import { loopbackThroughScope } from './loopback-scope.ts'

/** The records between that join the rows to others. */
async function readLinks(task: IncludeTask): Promise<readonly Row[]> {
  const { relation } = task
  const { model, keyFrom, keyTo } = throughOf(relation)
  const keys = shownKeys(task)
  const restriction = await rightsToMany(task, model, { property: keyFrom, values: keys })
  checkKeyIsRead(relation, keyTo, restriction)
  const plain = { ...task, filter: undefined }
  const read = {
    model,
    property: keyFrom,
    keys,
    discriminated: true,
    pages: 'none',
    scoped: false,
    restriction
  } as const
  return (await readByKeys(plain, read)).records.stored
}

/** How often each parent lists the record of each related key. */
function countLinks(
  links: readonly Row[],
  { model, keyFrom: from, keyTo: to }: ReturnType<typeof throughOf>
): Map<string, Map<string, number>> {
  const { listsEachLink } = model.registry.rules
  const byTarget = new Map<string, Map<string, number>>()
  for (const row of links) {
    const [parent, target] = [keyText(row[from]), keyText(row[to])]
    if (parent === undefined || target === undefined) continue
    const parents = byTarget.get(target) ?? new Map<string, number>()
    byTarget.set(target, parents.set(parent, listsEachLink ? (parents.get(parent) ?? 0) + 1 : 1))
  }
  return byTarget
}

/**
 * Includes the list of records that a third model links to each row, in the order of the related records: two queries. LB3:
 * `limit` is not applied, pinned by relations/include-forms.
 */
export async function includeThrough(task: IncludeTask): Promise<readonly unknown[]> {
  const { relation, rows } = task
  const through = throughOf(relation)
  const model = targetOf(relation)
  const restriction = await rightsToMany(task, model)
  const links = await readLinks(task)
  const { pagesEachRecord } = relation.from.registry.rules
  const pagedTask = pagesEachRecord ? { ...task, filter: loopbackThroughScope(task.filter) } : task
  const keys = distinctKeys(links, through.keyTo)
  const loaded = await readByKeys(pagedTask, {
    model,
    property: relation.keyTo,
    keys,
    discriminated: false,
    pages: 'none',
    scoped: true,
    restriction
  })
  const joined = countLinks(links, through)
  const positions = new Map<string, number[]>()
  let joins = 0
  const add = (parent: string, group: readonly number[], times: number): void => {
    checkRowCount((joins += group.length * times), task.atMost)
    const list = positions.get(parent) ?? []
    for (let time = 0; time < times; time++) list.push(...group)
    positions.set(parent, list)
  }
  // LB3: records that are pages of their own come in the order in which they were joined
  const order = pagedTask.filter === task.filter ? loaded.groups.keys() : keys.map((key) => keyText(key) ?? '')
  for (const target of order)
    for (const [parent, times] of joined.get(target) ?? [])
      add(parent, loaded.groups.get(target)?.positions ?? [], times)
  const page = pagesEachRecord && loaded.page.skip === 0 ? wholeList : pageOf(pagesEachRecord ? nothing : loaded.page)
  return rows.map((row) => listAt(loaded, page(positions.get(shownKey(task, row) ?? '') ?? [])))
}

/** LB3: a page that skips has nothing left, since each record is one by itself. */
const nothing = { skip: Infinity, limit: undefined }

const wholeList = (list: readonly number[]): readonly number[] => list

function pageOf({ skip, limit = Infinity }: Loaded['page']): typeof wholeList {
  return (list) => list.slice(skip, skip + limit)
}
