import { type Row, ValueRefused } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { type DocumentMap, encodeRow } from '../document/document-map.ts'
import { idField, readMapping } from '../names/read-mapping.ts'

/** @see loopback-connector-mongodb, lib/mongodb.js: parseUpdateData */
const operators: ReadonlySet<string> = new Set([
  '$currentDate',
  '$inc',
  '$max',
  '$min',
  '$mul',
  '$rename',
  '$setOnInsert',
  '$set',
  '$unset',
  '$addToSet',
  '$pop',
  '$pullAll',
  '$pull',
  '$push',
  '$bit'
])

/** True if data from code may use update operators. Core filters those of clients. */
export function allowsOperators({ model, settings }: DocumentMap): boolean {
  if (settings.allowExtendedOperators === false) return false
  return readMapping(model.definition).allowExtendedOperators ?? settings.allowExtendedOperators === true
}

/**
 * The update document for a patch: sets its fields, but never the id. Undefined if there is nothing to do. LB3: if
 * operators are used, other fields are ignored.
 * @throws {ValueRefused} a value cannot be stored, or operators are not allowed
 */
export function updateDocument(map: DocumentMap, patch: Row): Document | undefined {
  const names = Object.keys(patch)
  if (names.some((name) => name.startsWith('$') && !map.byProperty.has(name))) return withOperators(map, patch)
  const { [idField]: _id, ...fields } = encodeRow(map, patch)
  return Object.keys(fields).length === 0 ? undefined : { $set: fields }
}

function withOperators(map: DocumentMap, patch: Row): Document {
  if (!allowsOperators(map))
    throw new ValueRefused('update operators are not allowed: allowExtendedOperators is not set')
  const unknown = Object.keys(patch).find((name) => name.startsWith('$') && !operators.has(name))
  if (unknown !== undefined) throw new ValueRefused(`unknown update operator ${unknown}`)
  const update: Document = {}
  for (const [name, fields] of Object.entries(patch)) if (operators.has(name)) update[name] = inFields(map, fields)
  return update
}

/** The fields of properties. The values are the code's own. */
function inFields({ byProperty }: DocumentMap, fields: unknown): Document {
  return Object.fromEntries(
    Object.entries(Object(fields)).map(([path, value]) => {
      const [property = '', ...below] = path.split('.')
      return [[byProperty.get(property)?.name ?? property, ...below].join('.'), value]
    })
  )
}
