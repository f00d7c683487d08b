import { isPlainObject, type Model, type Row } from '@modelwire/core'
import { embeddedRecords } from '../records/select-embedded.ts'
import { targetOf } from '../records/target-of.ts'
import type { IncludeTask } from './include-task.ts'

function partsOf({ relation, fields }: IncludeTask, row: Row): readonly Row[] {
  const { keyFrom, from } = relation
  // LB3: a property that `fields` leaves out is not there
  if (from.registry.compat && fields !== undefined && !fields.has(keyFrom)) return []
  const value: unknown = row[keyFrom]
  return (Array.isArray(value) ? value : [value]).filter(isPlainObject)
}

/** The embedded records of each row as a list. */
export async function includeEmbeddedMany(task: IncludeTask): Promise<Model[][]> {
  const { relation, rows, filter, call } = task
  const parts = rows.map((row) => partsOf(task, row))
  return embeddedRecords(parts, { model: targetOf(relation), filter, call })
}

/** The embedded record of each row. */
export async function includeEmbeddedOne(task: IncludeTask): Promise<readonly (Model | null | undefined)[]> {
  const { relation, rows, filter } = task
  // LB3: it is there whatever the scope says
  const asked = relation.from.registry.compat ? { include: filter?.['include'] } : filter
  const lists = await includeEmbeddedMany({ ...task, filter: asked })
  return lists.map(([record], at) => record ?? (rows[at]?.[relation.keyFrom] === null ? null : undefined))
}
