import { TypeCompiler } from '@sinclair/typebox/compiler'
import { InvalidDefinition, ReservedModelName } from '../errors.ts'
import type { VersionRules } from '../version.ts'
import { ModelDefinitionSchema, type ModelDefinition } from './model-definition.ts'
import { relationTypes } from './relation-definition.ts'

const compiled = TypeCompiler.Compile(ModelDefinitionSchema)

/** Names that belong to JavaScript's object model: a property named so would break every record. */
const refusedNames: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])

/**
 * Checks the shape of a definition and the names in it.
 * @throws {InvalidDefinition} a key has the wrong type or an impossible value
 * @throws {ReservedModelName} the model is named File, which version 3 forbids
 */
export function checkDefinition(definition: ModelDefinition, version: VersionRules, place: { file?: string }): void {
  const model = typeof definition.name === 'string' ? { model: definition.name, ...place } : place
  const [problem] = compiled.Errors(definition)
  if (problem !== undefined)
    throw new InvalidDefinition(`${problem.message}, found ${JSON.stringify(problem.value)?.slice(0, 60)}`, {
      ...model,
      key: problem.path.slice(1).replaceAll('/', '.')
    })
  if (definition.name === 'File' && !version.modelNamedFile)
    throw new ReservedModelName(
      'a model must not be named File, which is a type of remote methods: rename it and set "plural" to keep its path',
      { ...model, key: 'name' }
    )
  for (const name of Object.keys(definition.properties ?? {})) {
    if (refusedNames.has(name))
      throw new InvalidDefinition(`"${name}" cannot be the name of a property`, { ...model, key: `properties.${name}` })
  }
  for (const [name, relation] of Object.entries(definition.relations ?? {})) {
    if (!relationTypes.has(relation.type))
      throw new InvalidDefinition(`"${relation.type}" is no type of relation`, {
        ...model,
        key: `relations.${name}.type`
      })
  }
}
