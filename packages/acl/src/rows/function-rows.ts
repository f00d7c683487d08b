import {
  compileOptionalWhere,
  compilePredicate,
  keepPerText,
  type ModelType,
  repository,
  type Row,
  type RowsFunction
} from '@modelwire/core'
import { isId } from '../identity/same-id.ts'
import { conditionOf } from './condition-of.ts'
import { clausesOf, keysIn, propertyOf } from './parts-of-where.ts'
import type { RowRecord, RowSet, RowsQuestion, Where } from './row-set.ts'

/** Makes the function that asks for a condition once for each method of a model in a request. */
function askOnce(rows: RowsFunction): (question: RowsQuestion) => Promise<Where | undefined> {
  const once = keepPerText<Promise<Where | undefined>>()
  return (question) => {
    const { request, model, method } = question
    return once(request, JSON.stringify([model.name, method]), () => conditionOf(rows, question))
  }
}

function matches(model: ModelType, where: Where, record: Row): boolean {
  const condition = compileOptionalWhere(model, where)
  return condition === undefined || compilePredicate(condition)(record)
}

/** Which of these ids are of stored records that meet a condition, as texts: one query. */
async function idsAmong(model: ModelType, where: Where, ids: readonly unknown[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const name = model.idProperty?.name ?? 'id'
  const filter = { where: { and: [{ [name]: { inq: ids } }, where] }, fields: { [name]: true } }
  const found = await repository.find(model, filter, {})
  return new Set(found.map((record) => String(repository.idOf(model, record))))
}

/** The parts of records, which have no table, are told by what is at hand. */
async function amongRecords(
  model: ModelType,
  where: Where,
  records: readonly RowRecord[]
): Promise<readonly boolean[]> {
  if (model.collection === undefined)
    return records.map(({ record }) => record !== undefined && matches(model, where, record))
  const ids = records.map(({ id }) => (isId(id) ? repository.toId(model, id) : undefined))
  const among = await idsAmong(model, where, [...new Set(ids.filter((id) => id !== undefined))])
  return ids.map((id) => id !== undefined && among.has(String(id)))
}

/** What is written to all records has to meet every condition that it has a say in. */
function keepsAll(model: ModelType, where: Where, data: Row): boolean {
  const written = new Set(Object.keys(data).map(propertyOf))
  const touched = clausesOf(where).filter((clause) => keysIn(clause).some((key) => written.has(propertyOf(key))))
  if (touched.length === 0) return true
  const draft = repository.draftInstance(model, { ...data })
  return touched.every(
    (clause) => keysIn(clause).every((key) => written.has(propertyOf(key))) && matches(model, clause, draft)
  )
}

/** The records that meet what a function says. */
export function functionRows(rows: RowsFunction): RowSet {
  const where = askOnce(rows)
  return {
    where,
    among: async (question, records) => {
      const condition = await where(question)
      return condition === undefined ? records.map(() => false) : amongRecords(question.model, condition, records)
    },
    fits: async (question, { id, record }) => {
      const condition = await where(question)
      if (condition === undefined) return false
      const { model } = question
      const given = id === undefined ? record : { ...record, [model.idProperty?.name ?? 'id']: id }
      return matches(model, condition, repository.draftInstance(model, { ...given }))
    },
    outlasts: async (question, data) => {
      const condition = await where(question)
      return condition === undefined || keepsAll(question.model, condition, data)
    }
  }
}
