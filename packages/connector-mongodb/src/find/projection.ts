import type { Document } from 'mongodb'
import type { DocumentMap } from '../document/document-map.ts'
import { idField, isFieldName } from '../names/field-name.ts'

/** The fields of a filter's properties, and the id; undefined for all of them. */
export function projectionOf(
  { byProperty, fieldNames }: DocumentMap,
  fields: ReadonlySet<string> | undefined
): Document | undefined {
  if (fields === undefined) return undefined
  const projection: Document = { [idField]: 1 }
  for (const name of fields) {
    const field = byProperty.get(name)?.name ?? (fieldNames.has(name) ? undefined : name)
    if (field !== undefined && isFieldName(field)) projection[field] = 1
  }
  return projection
}
