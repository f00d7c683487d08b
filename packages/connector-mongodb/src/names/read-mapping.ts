import { checkMapping, isPlainObject } from '@modelwire/core/connector'
import { type Static, Type } from '@sinclair/typebox'

const name = Type.Optional(Type.String({ minLength: 1 }))

/** The mapping of a model or a property in a model file, below the key `mongodb`. Other keys are kept unread. */
const MappingSchema = Type.Object({
  collection: name,
  fieldName: name,
  field: name,
  columnName: name,
  column: name,
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
