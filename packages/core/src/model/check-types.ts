import { InvalidDefinition, UnknownPropertyType } from '../definition/errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { ValueType } from '../types/value-type.ts'

/** LB3: a part of a value is never hidden. New applications are not left to believe that it is. */
function refuseHiddenPart(model: ModelType, { name, definition }: PropertyType): void {
  if (model.registry.rules.ignoresHiddenParts || definition.hidden !== true) return
  const where = { model: model.name, key: `properties.${name}` }
  throw new InvalidDefinition('"hidden" holds for whole properties, not inside of their values', where)
}

/**
 * Checks that every type of a model's properties that names a model leads to one.
 * @throws {UnknownPropertyType} a type is neither built in nor a model
 * @throws {InvalidDefinition} a part of a plain object is hidden
 */
export function checkTypes(model: ModelType, isModel: (name: string) => boolean): void {
  const check = (property: PropertyType, type: ValueType): void => {
    if (type.kind === 'array' && type.items !== undefined) check(property, type.items)
    if (type.kind === 'nested')
      for (const below of type.properties) {
        refuseHiddenPart(model, below)
        check(below, below.type)
      }
    if (type.kind !== 'model' || isModel(type.model)) return
    const { onUnknownType } = model.registry
    if (onUnknownType !== undefined) {
      onUnknownType(type.model, model.name, property.name)
      return
    }
    const where = { model: model.name, key: `properties.${property.name}` }
    throw new UnknownPropertyType(`"${type.model}" is neither a type nor a model`, where)
  }
  for (const property of model.properties) check(property, property.type)
}
