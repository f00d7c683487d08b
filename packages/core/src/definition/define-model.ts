import type { Static, TObject } from '@sinclair/typebox'
import type { ModelClass } from '../model/model-class.ts'
import type { ModelDefinition } from './model-definition.ts'
import { toProperties } from './typebox-properties.ts'

/** Settings of a model: every key of a LoopBack model file but its name and properties. */
export type ModelSettings = Partial<Omit<ModelDefinition, 'name' | 'properties'>>

declare const record: unique symbol

/** A definition that knows the type of its records. */
export interface TypedDefinition<T extends object = Record<string, unknown>> extends ModelDefinition {
  readonly [record]?: T
}

/** The model classes of a record of definitions, for `interface Models extends ModelsOf<typeof models> {}`. */
export type ModelsOf<D extends Readonly<Record<string, ModelDefinition>>> = {
  readonly [K in keyof D]: D[K] extends TypedDefinition<infer T> ? ClassOf<T> : ModelClass
}

/** A definition without types has records of any properties. */
type ClassOf<T extends object> = [keyof T] extends [never] ? ModelClass : ModelClass<T>

/**
 * Defines a model by a TypeBox object. Optional properties may be absent, all others are required; `default` works as in a
 * model file; `additionalProperties: false` makes the model strict. Such a model is private until `public: true`.
 * @throws {UnknownPropertyType} a schema has no counterpart among the types of properties
 */
export function defineModel<S extends TObject>(
  name: string,
  schema: S,
  settings: ModelSettings = {}
): TypedDefinition<Static<S>> {
  const strict = schema.additionalProperties === false ? { strict: true } : {}
  return { public: false, ...strict, ...settings, name, properties: toProperties(schema, name) }
}
