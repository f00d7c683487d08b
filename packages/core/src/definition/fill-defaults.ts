import type { Static, TObject, TSchema, TUnion } from '@sinclair/typebox'
import { isPlainObject } from '../values/clone-plain.ts'
import type { HasDefault } from './default-keyword.ts'

type FilledObject<Properties> = {
  [Key in keyof Properties as Properties[Key] extends HasDefault ? Key : never]: WithDefaults<Properties[Key]>
}
type OtherProperties<Options, Properties> = {
  [Key in keyof Options as Key extends keyof FilledObject<Properties> ? never : Key]: WithDefaults<
    Properties[Key & keyof Properties]
  >
}

/** Options that were checked against `Schema`, after `fillDefaults`: what has a default in the schema is there. */
export type WithDefaults<Schema> =
  Schema extends TObject<infer Properties>
    ? OtherProperties<Static<Schema>, Properties> & FilledObject<Properties>
    : Schema extends TUnion<infer Members>
      ? WithDefaults<Members[number]>
      : Schema extends TSchema
        ? Static<Schema>
        : never

/** The options of an object, or of the object among the members of a union. */
function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  // TypeBox leaves further keywords of a schema untyped.
  const { properties, anyOf } = schema as { properties?: Record<string, TSchema>; anyOf?: TSchema[] }
  return properties ?? anyOf?.map(propertiesOf).find((found) => Object.keys(found).length > 0) ?? {}
}

function fill(schema: TSchema, input: unknown): unknown {
  const value = input === undefined ? (schema.default as unknown) : input
  if (!isPlainObject(value)) return value
  const filled = Object.entries(propertiesOf(schema)).map(
    ([key, property]) => [key, fill(property, value[key])] as const
  )
  const changed = filled.filter(([key, result]) => result !== value[key])
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/**
 * `options` with the defaults of `schema` in place of what is absent or undefined, in nested objects too: one that may itself be
 * absent is filled where its default is `{}`. What has nothing to fill in stays the object that it is.
 * @param options checked against `schema`
 */
export function fillDefaults<Schema extends TSchema>(schema: Schema, options: Static<Schema>): WithDefaults<Schema> {
  // The type describes what `fill` does.
  return fill(schema, options) as WithDefaults<Schema>
}
