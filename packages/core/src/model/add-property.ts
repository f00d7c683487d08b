import { setProperties } from './attach-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import { compileProperty } from '../types/compile-type.ts'
import { ruleOfRequired } from '../rules/declared-rules.ts'
import { expandProperty } from '../definition/inherit-definition.ts'

/**
 * Adds a property to a compiled model, or replaces the one of that name.
 * @throws {UnknownPropertyType} its type is none
 * @throws {DottedPropertyName} the name holds a dot and the protocol's version forbids it
 */
export function addProperty(model: ModelType, name: string, written: unknown): void {
  const definition = expandProperty(written)
  const { allowsDottedNames: dottedNames } = model.registry.rules
  const property = compileProperty(name, definition, { model: model.name, key: `properties.${name}`, dottedNames })
  model.definition.properties[name] = definition
  const isNew = !model.byName.has(name)
  setProperties(
    model,
    isNew ? [...model.properties, property] : model.properties.map((each) => (each.name === name ? property : each))
  )
  if (definition.hidden === true) model.hidden.add(name)
  const isKnown = model.rules.some((rule) => rule.kind === 'presence' && rule.property === name)
  if (property.required && !property.generated && !isKnown) model.rules.push(ruleOfRequired(property))
}
