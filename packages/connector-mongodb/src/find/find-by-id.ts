import type { Id, Row } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { type DocumentMap, decodeRow, type Field } from '../document/document-map.ts'
import { idField } from '../names/field-name.ts'
import { compileCondition } from '../where/compile-condition.ts'
import { equalForms } from '../where/operands.ts'
import { placeOf } from '../where/place.ts'
import type { CollectionContext } from './find-rows.ts'

/** The query of one id; undefined where no document has it. */
export function idQuery(map: DocumentMap, id: unknown): Document | undefined {
  const { id: field } = map
  if (map.isWide && field !== undefined && id !== null && id !== undefined) return exactQuery(map, field, id)
  const place = field && placeOf(map, [field.property.name], field.property.type)
  const forms = place === undefined || id === null || id === undefined ? [] : equalForms(place, id)
  if (forms.length === 0) return undefined
  return { [idField]: forms.length === 1 ? { $eq: forms[0] } : { $in: forms } }
}

function exactQuery(map: DocumentMap, { property: { name, type } }: Field, value: unknown): Document | undefined {
  const query = compileCondition(map, { kind: 'test', path: [name], type, test: 'equals', value })
  return query.kind === 'some' ? query.document : undefined
}

/**
 * The row with an id. It ignores the client's signal: one look-up in the index of ids is short, is bounded by
 * `statementTimeout`, and a signal would cost more than the read, as the driver listens to it at every step.
 */
export async function findRow({ map, session }: CollectionContext, id: Id): Promise<Row | undefined> {
  const query = idQuery(map, id)
  if (query === undefined) return undefined
  const document = await session.perform({ map, isRead: true }, (options) =>
    session.collection(map.collection).findOne(query, { ...options })
  )
  return document === null ? undefined : decodeRow(map, document)
}
