import { type Row, keyText, type ModelType } from '@modelwire/core/connector'
import { asServer, findModel, type Restriction } from '@modelwire/core/plugin'
import { allInOrder } from '@modelwire/server'
import { keyOfTarget, lacksKey } from '../records/target-of.ts'
import { rightsToEach } from './include-rights.ts'
import { type IncludeTask, shownKey, distinctKeys, readByKeys } from './read-by-keys.ts'
import { idsOfGroup, type Loaded, oneOf } from './loaded.ts'

/** Rows that refer to records of one model, and what the client may see of these. */
interface ParentRead {
  readonly model: ModelType
  readonly rows: readonly Row[]
  readonly keys: readonly unknown[]
  readonly restriction: Restriction | undefined
}

function readParents(task: IncludeTask, { model, keys, restriction }: Omit<ParentRead, 'rows'>): Promise<Loaded> {
  return readByKeys(task, {
    model,
    property: task.relation.keyTo,
    keys,
    discriminated: false,
    pages: 'each key',
    scoped: true,
    restriction
  })
}

async function includeOf(task: IncludeTask, parent: ParentRead): Promise<Map<Row, unknown>> {
  const loaded = await readParents(task, parent)
  return new Map(parent.rows.map((row) => [row, oneOf(loaded, loaded.groups.get(shownKey(task, row) ?? ''))]))
}

/** The ids of the records that each key leads to, unrestricted. */
async function idsOf(
  task: IncludeTask,
  model: ModelType,
  keys: readonly unknown[]
): Promise<readonly (readonly unknown[])[]> {
  if (task.relation.keyTo === model.idProperty?.name) return keys.map((key) => [key])
  const plain = { ...task, filter: undefined, call: asServer(task.call) }
  const { groups } = await readParents(plain, { model, keys, restriction: undefined })
  return keys.map((key) => idsOfGroup(model, groups.get(keyText(key) ?? '')))
}

/** Checks access to all records that rows refer to before any of them is read for an answer. */
async function withRights(task: IncludeTask, model: ModelType, rows: readonly Row[]): Promise<ParentRead> {
  const keys = distinctKeys(rows, task.relation.keyFrom)
  const restriction = await rightsToEach(task, model, () => idsOf(task, model, keys))
  return { model, rows, keys, restriction }
}

/** Rows by the model that their discriminator names; those that name none are left out. */
function rowsByModel({ relation, rows }: IncludeTask): Map<ModelType, Row[]> {
  const { to, from, discriminator } = relation
  const byModel = new Map<ModelType, Row[]>()
  for (const row of rows) {
    const name = row[discriminator?.property ?? '']
    const model = to ?? (typeof name === 'string' ? findModel(from.registry, name) : undefined)
    // What one record says it belongs to must not keep others from being shown.
    if (model === undefined || lacksKey(relation, model)) continue
    byModel.set(model, [...(byModel.get(model) ?? []), row])
  }
  return byModel
}

/** Includes the record whose key each row contains: one query, or one per model if the key is polymorphic. */
export async function includeParent(task: IncludeTask): Promise<readonly unknown[]> {
  const { relation, rows } = task
  const lists = relation.to === undefined ? rowsByModel(task) : new Map([[relation.to, rows]])
  const taskFor = (model: ModelType): IncludeTask => ({
    ...task,
    relation: { ...relation, keyTo: keyOfTarget(relation, model) }
  })
  const parents: ParentRead[] = []
  for (const [model, some] of lists) parents.push(await withRights(taskFor(model), model, some))
  const found = await allInOrder(parents.map((parent) => includeOf(taskFor(parent.model), parent)))
  return rows.map((row) => found.find((values) => values.has(row))?.get(row))
}
