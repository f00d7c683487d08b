import { checkMapping, InvalidDefinition, type ModelType, type PropertyType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

/** The field that contains the id of every document. */
export const idField = '_id'

/** False for names that MongoDB reads as operators or paths, or cannot store. */
export const isFieldName = (name: string): boolean =>
  name !== '' &&
  name !== '__proto__' &&
  !name.startsWith('$') &&
  !name.includes('.') &&
  !name.includes('\0') &&
  name.isWellFormed()

const mappedName = Type.Optional(Type.String({ minLength: 1 }))

/** The mapping of a model or a property in a model file, below the key `mongodb`. Other keys are kept unread. */
const MappingSchema = Type.Object({
  collection: mappedName,
  fieldName: mappedName,
  field: mappedName,
  columnName: mappedName,
  column: mappedName,
  dataType: Type.Optional(Type.String()),
  allowExtendedOperators: Type.Optional(Type.Boolean()),
  validator: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  validationLevel: Type.Optional(Type.Union([Type.Literal('off'), Type.Literal('moderate'), Type.Literal('strict')])),
  validationAction: Type.Optional(Type.Union([Type.Literal('error'), Type.Literal('warn')]))
})

/** Settings of a collection or a field. */
export type Mapping = Static<typeof MappingSchema>

/**
 * The mapping of a definition, or of its `options`.
 * @throws {InvalidDefinition} a setting has the wrong type
 */
export function readMapping(definition: Readonly<Record<string, unknown>>): Mapping {
  const { options } = definition
  const written = definition['mongodb'] ?? (isPlainObject(options) ? options['mongodb'] : undefined)
  return checkMapping(MappingSchema, written, 'mongodb')
}

/**
 * The collection of a model: set in its settings, or its name.
 * @throws {InvalidDefinition} MongoDB has no collection of such a name
 * @see loopback-connector-mongodb, lib/mongodb.js: collectionName
 */
export function collectionName({ name, definition }: Pick<ModelType, 'name' | 'definition'>): string {
  const collection = readMapping(definition).collection ?? name
  if (!/[\0$]/.test(collection) && !collection.startsWith('system.') && collection.isWellFormed()) return collection
  throw new InvalidDefinition(`"${collection}" cannot be the name of a collection`, { key: 'mongodb.collection' })
}

/**
 * The field that stores a property: `_id` for the id, the one in the property's settings, or the property's own name.
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
    throw new InvalidDefinition(
      `the id "${name}" is stored in the field _id, and cannot be stored in "${String(names)}"`,
      {
        key: `properties.${name}.mongodb`
      }
    )
  if (isId) return idField
  // LB2: a property may have a name that no field can have; its values are refused when one is stored.
  const field = String(names ?? name)
  if (names === undefined || isFieldName(field)) return field
  throw new InvalidDefinition(`"${field}" cannot be the name of a field`, { key: `properties.${name}` })
}
