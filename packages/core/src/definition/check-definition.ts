import { Errors, type ValueError } from '@sinclair/typebox/errors'
import { describeProblem } from './describe-problem.ts'
import { InvalidDefinition, ReservedModelName } from './errors.ts'
import { reservedNames } from '../values/check-structure.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { Rules } from '../rules.ts'
import { ModelDefinitionSchema, type ModelDefinition } from './model-definition.ts'

function invalidDefinition(definition: unknown, problem: ValueError, place: { file?: string }): Error {
  const name = isPlainObject(definition) && typeof definition['name'] === 'string' ? definition['name'] : undefined
  const found = JSON.stringify(problem.value)?.slice(0, 60)
  const where = name === undefined ? place : { model: name, ...place }
  const { key, text } = describeProblem(problem)
  return new InvalidDefinition(`${text}, found ${found}`, { ...where, key })
}

/**
 * Checks the shape of a definition and the names in it. Types of relations are checked once their kinds are known.
 * @throws {InvalidDefinition} a key has the wrong type or an impossible value
 * @throws {ReservedModelName} the model is named File, which version 3 forbids
 */
export function checkDefinition(definition: ModelDefinition, rules: Rules, place: { file?: string }): void {
  const problem = Errors(ModelDefinitionSchema, [], definition).First()
  if (problem !== undefined) throw invalidDefinition(definition, problem, place)
  const model = { model: definition.name, ...place }
  // One that is private is not a type of remote methods.
  if (definition.name === 'File' && definition.public !== false && !rules.allowsModelNamedFile)
    throw new ReservedModelName(
      'a model must not be named File, which is a type of remote methods: rename it and set "plural" to keep its path',
      { ...model, key: 'name' }
    )
  for (const name of Object.keys(definition.properties ?? {})) {
    // A property named so would break every record.
    if (reservedNames.has(name))
      throw new InvalidDefinition(`"${name}" cannot be the name of a property`, { ...model, key: `properties.${name}` })
  }
}
