import { UnknownPropertyType } from './errors.ts'
import type { ModelType } from '../model/model-type.ts'
import type { PropertyType } from '../model/property-type.ts'
import type { ValueType } from '../values/value-type.ts'

/**
 * Checks that every type of a model's properties that names a model leads to one.
 * @throws {UnknownPropertyType} a type is neither built in nor a model
 */
export function checkTypes(model: ModelType, isModel: (name: string) => boolean): void {
  const check = (property: PropertyType, type: ValueType): void => {
    if (type.kind === 'array' && type.items !== undefined) check(property, type.items)
    if (type.kind === 'nested') for (const below of type.properties) check(below, below.type)
    if (type.kind !== 'model' || isModel(type.model)) return
    const where = { model: model.name, key: `properties.${property.name}` }
    throw new UnknownPropertyType(`"${type.model}" is neither a type nor a model`, where)
  }
  for (const property of model.properties) check(property, property.type)
}
