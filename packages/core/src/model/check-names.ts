import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { closestName } from '../values/closest-name.ts'
import { InvalidDefinition } from '../definition/errors.ts'

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

/**
 * Checks that `hidden`, `protected` and `validations` of a model of `defineModel` name its properties or relations: a
 * misspelt name would leave a property visible, or without its rule.
 * @throws {InvalidDefinition} there is no such property
 */
export function checkNames(model: ModelType): void {
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
  return new InvalidDefinition(`no property is named "${name}"${advice}`, where)
}
