import type { ModelType, Row } from '@modelwire/core'
import { findModel } from '../definition/find-target.ts'
import type { IncludeTask } from './include-task.ts'
import { oneOf } from './loaded.ts'
import { distinctKeys, readByKeys } from './read-by-keys.ts'
import { shownKey } from './shown-key.ts'

async function includeOf(task: IncludeTask, model: ModelType, rows: readonly Row[]): Promise<Map<Row, unknown>> {
  const { keyFrom, keyTo } = task.relation
  const keys = distinctKeys(rows, keyFrom)
  const loaded = await readByKeys(task, {
    model,
    property: keyTo,
    keys,
    discriminated: false,
    pages: 'each key',
    scoped: true
  })
  const { groups } = loaded
  return new Map(rows.map((row) => [row, oneOf(loaded, groups.get(shownKey(task, row) ?? ''))]))
}

/** Rows by the model that their discriminator names; those that name none are left out. */
function rowsByModel({ relation, rows }: IncludeTask): Map<ModelType, Row[]> {
  const { to, from, discriminator } = relation
  const byModel = new Map<ModelType, Row[]>()
  for (const row of rows) {
    const name = row[discriminator?.property ?? '']
    const model = to ?? (typeof name === 'string' ? findModel(from.registry, name) : undefined)
    if (model === undefined) continue
    byModel.set(model, [...(byModel.get(model) ?? []), row])
  }
  return byModel
}

/** The record whose key each row holds: one query, or one per model where the key is polymorphic. */
export async function includeParent(task: IncludeTask): Promise<readonly unknown[]> {
  const { relation, rows } = task
  const lists = relation.to === undefined ? rowsByModel(task) : new Map([[relation.to, rows]])
  const found = await Promise.all(Array.from(lists, ([model, some]) => includeOf(task, model, some)))
  return rows.map((row) => found.find((values) => values.has(row))?.get(row))
}
