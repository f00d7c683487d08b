import { GeoPoint } from '@modelwire/core'
import type { PropertyType, ValueType } from '@modelwire/core/connector'
import { type AnyFunction, isObject } from './driver.ts'

/** A property as `connector.define` gets it: its definition, with its type as a constructor. */
export type LoopbackProperty = Record<string, unknown> & { readonly type: unknown }

// Connectors look at the names of these, and at some of JavaScript's own constructors by identity.
const named = (name: string): AnyFunction => Object.defineProperty(function () {}, 'name', { value: name })
const [Any, Text] = [named('Any'), named('Text')]

type ScalarTypes = Readonly<Record<Exclude<ValueType['kind'], 'array' | 'nested' | 'model'>, unknown>>

const constructors: ScalarTypes = {
  string: String,
  text: Text,
  number: Number,
  integer: Number,
  boolean: Boolean,
  date: Date,
  dateString: String,
  buffer: Buffer,
  geopoint: GeoPoint,
  object: Object,
  any: Any
}

/** The type of a property as LoopBack's model builder gives it to connectors; lists are a list of their items' type. */
function loopbackType(type: ValueType): unknown {
  if (type.kind === 'array') return type.items === undefined ? [] : [loopbackType(type.items)]
  return type.kind === 'nested' || type.kind === 'model' ? Object : constructors[type.kind]
}

/** All properties of a model, as `connector.define` gets them. */
export function loopbackProperties(properties: readonly PropertyType[]): Record<string, LoopbackProperty> {
  return Object.fromEntries(properties.map((property) => [property.name, loopbackProperty(property)]))
}

function loopbackProperty({ definition, type, id, generated, required }: PropertyType): LoopbackProperty {
  const written: Record<string, unknown> = isObject(definition) ? { ...definition } : {}
  return {
    ...written,
    type: loopbackType(type),
    ...(id && { id: written['id'] ?? true }),
    ...(generated && { generated: true }),
    ...(required && { required: true })
  }
}
