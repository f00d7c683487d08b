import { closedSchema } from '../definition/check-definition.ts'
import type { TypedDefinition } from './models-of.ts'
import type { DefaultedName, ObjectSchema, SchemaId, SchemaRecord } from '../definition/schema-types.ts'
import type { CheckedSettings, ModelSettings } from './settings-types.ts'
import { toProperties } from '../definition/typebox-properties.ts'

/** A strict model takes no undeclared properties inside of its values either. */
const closedParts = (schema: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries<object>({ ...schema.properties }).map(([name, part]) => [name, closedSchema(part)])
  )
})

type Of<S, K extends keyof ModelSettings> = K extends keyof S ? S[K] : undefined

/** The parts of a model's schema and settings that types keep. */
export interface Written<S extends ObjectSchema, Settings> {
  readonly id: SchemaId<S>
  readonly optional: DefaultedName<S>
  readonly base: Of<Settings, 'base'>
  readonly mixins: Of<Settings, 'mixins'>
  readonly relations: Of<Settings, 'relations'>
}

/**
 * Defines a model by an object of TypeBox, or of JSON Schema. Optional properties may be absent, all others are
 * required; `default` works as in a model file. Such a model is private until `public: true`, and strict: properties
 * that the schema does not declare are refused, unless it sets `additionalProperties: true`, or the settings `strict:
 * false`.
 * @throws {UnknownPropertyType} a schema has no counterpart among the types of properties
 * @example
 * ```ts
 * import { defineModel } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * const Note = defineModel('Note', Type.Object({ text: Type.String({ maxLength: 200 }) }), { public: true })
 * app.models.define(Note)
 * app.models.attach('Note', 'db')
 * await app.models
 *   .get('Note')
 *   .create({ txt: 'Buy milk' })
 *   .catch(({ statusCode }) => console.log(statusCode)) // 422
 * ```
 */
export function defineModel<const S extends ObjectSchema, const Settings extends ModelSettings = {}>(
  name: string,
  schema: S,
  settings?: CheckedSettings<Settings, S>
): TypedDefinition<SchemaRecord<S>, Written<S, Settings>> {
  const isClosed = (schema.additionalProperties ?? false) === false
  const isStrict = settings?.['strict'] ?? isClosed
  const properties = toProperties(isStrict === false ? schema : closedParts(schema), name)
  const strict = settings?.['strict'] === undefined ? { strict: isClosed } : {}
  // The checked settings are those of a definition; lists of them are not changed.
  return { public: false, ...(settings as object), ...strict, name, properties }
}
