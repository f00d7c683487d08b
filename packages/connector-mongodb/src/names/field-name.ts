import { InvalidDefinition, type PropertyType } from '@modelwire/core/connector'
import { readMapping } from './read-mapping.ts'

/** The field that every document has its id in. */
export const idField = '_id'

/**
 * The field that holds a property: `_id` for the id, the one in the property's settings, or its own name.
 * @throws {InvalidDefinition} an id is to lie in another field, as LoopBack refuses it, or a field's name is none
 * @see loopback-connector-mongodb, lib/mongodb.js: getDatabaseColumnName
 */
export function fieldName({ name, definition }: PropertyType, isId: boolean): string {
  const mapping = readMapping(definition)
  const names = [
    mapping.fieldName,
    mapping.field,
    mapping.columnName,
    mapping.column,
    definition['columnName'],
    definition['column']
  ].find((each) => typeof each === 'string' && each !== '')
  if (isId && names !== undefined && names !== idField)
    throw new InvalidDefinition(`the id "${name}" lies in the field _id, and cannot lie in "${String(names)}"`, {
      key: `properties.${name}.mongodb`
    })
  if (isId) return idField
  // LB2: a property may have a name that no field can have; its values are refused when one is stored.
  const field = String(names ?? name)
  if (names === undefined || isFieldName(field)) return field
  throw new InvalidDefinition(`"${field}" cannot be the name of a field`, { key: `properties.${name}` })
}

/** False for names that MongoDB reads as operators or paths, or cannot store. */
export const isFieldName = (name: string): boolean =>
  name !== '' &&
  name !== '__proto__' &&
  !name.startsWith('$') &&
  !name.includes('.') &&
  !name.includes('\0') &&
  name.isWellFormed()
