import type { FieldNames, ModelType } from '@modelwire/core/plugin'
import type { Rule } from '../rules/rule.ts'

/** The properties of a model that a rule lets its callers read and set; undefined: all. */
export interface PropertySets {
  readonly readable: ReadonlySet<string> | undefined
  readonly writable: ReadonlySet<string> | undefined
}

const everything: PropertySets = { readable: undefined, writable: undefined }

/** Declared properties alone: what is not declared has no name that a rule could give. The id is always among them. */
function setOf({ properties, idProperty }: ModelType, names: FieldNames | undefined): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  const declared = properties.map(({ name }) => name)
  const chosen = 'except' in names ? declared.filter((name) => !names.except.includes(name)) : names
  return new Set(idProperty === undefined ? chosen : [idProperty.name, ...chosen])
}

const setsByRule = new WeakMap<Rule, Map<ModelType, PropertySets>>()

/** The properties that a rule is about. The same sets each time: serializers are kept by them. */
export function propertySets(model: ModelType, rule: Rule): PropertySets {
  const { fields } = rule
  if (fields === undefined) return everything
  const ofRule = setsByRule.get(rule) ?? new Map<ModelType, PropertySets>()
  setsByRule.set(rule, ofRule)
  const sets = ofRule.get(model) ?? { readable: setOf(model, fields.read), writable: setOf(model, fields.write) }
  if (model.registry.sealed) ofRule.set(model, sets)
  return sets
}
