import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '@modelwire/server'
import { closestName } from '../values/describe.ts'
import { indexKeys } from '../definition/list-settings.ts'
import { InvalidDefinition, UnknownPropertyType } from '../definition/errors.ts'
import type { PropertyType, ValueType } from '../types/property-type.ts'

/** The properties that `validations` names, by property or as a list. */
function validatedNames(validations: unknown): readonly string[] {
  if (isPlainObject(validations)) return Object.keys(validations)
  if (!Array.isArray(validations)) return []
  return validations.map((rule: unknown) => (isPlainObject(rule) ? String(rule['property']) : ''))
}

/**
 * Only models of `defineModel` declare everything that their records hold; LoopBack's files may name undeclared
 * properties.
 */
const declaresAll = ({ strict, properties }: ModelType): boolean =>
  strict && properties.some(({ definition }) => definition['schema'] !== undefined)

/** Names as tables may have them for columns. */
const folded = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** A property, a value below one, or the column or field of one. */
function isIndexable({ properties }: ModelType, key: string): boolean {
  const name = key.split('.')[0] ?? key
  return properties.some(
    (property) =>
      folded(property.name) === folded(name) ||
      Object.values(property.definition).some(
        (mapping) => isPlainObject(mapping) && [mapping['columnName'], mapping['fieldName']].includes(name)
      )
  )
}

/** Databases that store undeclared properties can have indexes over them. */
function checkIndexes(model: ModelType): void {
  const { indexes = {} } = model.definition
  if (model.registry.rules.allowsUnknownNames) return
  if (!model.strict && model.dataSource?.connector.capabilities.storesUndeclared !== false) return
  for (const [index, written] of Object.entries(indexes)) {
    const wrong = isPlainObject(written) ? indexKeys(written).find(([key]) => !isIndexable(model, key)) : undefined
    if (wrong !== undefined)
      throw unknownName(wrong[0], [...model.byName.keys()], { model: model.name, key: `indexes.${index}` })
  }
}

function checkAggregate(model: ModelType): void {
  const { aggregate } = model.definition
  const listed = typeof aggregate === 'object' ? aggregate.properties : undefined
  const wrong = listed?.find((name) => !model.byName.has(name))
  if (wrong === undefined) return
  throw unknownName(wrong, [...model.byName.keys()], { model: model.name, key: 'aggregate.properties' })
}

/**
 * Checks that `indexes` and `aggregate` name properties of the model, and that `hidden`, `protected` and `validations` of a
 * model of `defineModel` name its properties or relations: a misspelt name would leave a property visible, or without its
 * rule.
 * @throws {InvalidDefinition} there is no such property
 */
export function checkNames(model: ModelType): void {
  checkIndexes(model)
  checkAggregate(model)
  if (!declaresAll(model)) return
  const names = [...model.byName.keys(), ...model.relations.keys()]
  const { hidden = [], protected: shielded = [], validations } = model.definition
  const places = { hidden, protected: shielded, validations: validatedNames(validations) }
  for (const [key, named] of Object.entries(places)) {
    const wrong = named.find((name) => !names.includes(name))
    if (wrong !== undefined) throw unknownName(wrong, names, { model: model.name, key })
  }
}

function unknownName(name: string, names: readonly string[], where: { model: string; key: string }): InvalidDefinition {
  const suggestion = closestName(name, names)
  const advice = suggestion === undefined ? '' : `: did you mean "${suggestion}"?`
  return new InvalidDefinition(`unknown property "${name}"${advice}`, where)
}

/** LB3: a part of a value is never hidden. New applications are not left to believe that it is. */
function refuseHiddenPart(model: ModelType, { name, definition }: PropertyType): void {
  if (model.registry.rules.ignoresHiddenParts || definition.hidden !== true) return
  const where = { model: model.name, key: `properties.${name}` }
  throw new InvalidDefinition('"hidden" applies to whole properties, not to parts of their values', where)
}

/**
 * Checks that every model named as a property type of a model exists.
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
    throw new UnknownPropertyType(`unknown type or model "${type.model}"`, where)
  }
  for (const property of model.properties) check(property, property.type)
}
