import { GeoPoint } from '@modelwire/core'
import { isPlainObject, type ModelType, type PropertyType, type ValueType } from '@modelwire/core/plugin'

const constructors: Readonly<Record<string, unknown>> = {
  string: String,
  text: String,
  number: Number,
  integer: Number,
  boolean: Boolean,
  date: Date,
  dateString: String,
  buffer: Buffer,
  geopoint: GeoPoint,
  object: Object,
  nested: Object,
  any: Object,
  array: Array
}

/** The constructor that LoopBack shows for a type: `String`, `[Number]`, `Object`; the name of a model for a model. */
export function propertyConstructor(type: ValueType): unknown {
  if (type.kind === 'array' && type.items !== undefined) return [propertyConstructor(type.items)]
  return type.kind === 'model' ? type.model : constructors[type.kind]
}

/** `Model.definition.properties`: the definitions of the properties, with constructors as types. */
export function propertyViews({ properties }: ModelType): Record<string, Record<string, unknown>> {
  return Object.fromEntries(properties.map((property) => [property.name, propertyView(property)]))
}

function propertyView({ definition, type, id, generated }: PropertyType): Record<string, unknown> {
  const written: Record<string, unknown> = isPlainObject(definition) ? definition : {}
  return {
    ...written,
    type: propertyConstructor(type),
    ...(id ? { id: written['id'] ?? true } : {}),
    ...(generated ? { generated } : {})
  }
}
