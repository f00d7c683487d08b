import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { DefinitionPlace, ModelType } from '@modelwire/core/plugin'
import { keepFreeKeys } from './free-keys.ts'
import { readDefinition } from './read-definition.ts'

/**
 * Defines a model of a file or a script, whose keys may have any shape that LoopBack takes.
 * @param place the model file, for errors
 * @throws {DefinitionError} the definition is invalid; the subclass names the reason
 */
export function defineFreely(
  registry: ModelRegistry,
  definition: ModelDefinition,
  place: DefinitionPlace = {}
): ModelType {
  const read = readDefinition(definition)
  const { acls = [], ...others } = read.definition
  const { modelType: model } = registry.define(withoutAbsent(registry, others, place), place)
  // Rules are read by access control alone, which takes more shapes than the registry.
  model.definition.acls = [...(model.definition.acls ?? []), ...acls]
  keepFreeKeys(model, read)
  return model
}

/** LB3: a property that is null or false is left out, that of a base as well; the registry knows the latter alone. */
function withoutAbsent(
  registry: ModelRegistry,
  definition: ModelDefinition,
  { base: given }: DefinitionPlace
): ModelDefinition {
  const { properties = {}, base } = definition
  const inherited = (given ?? registry.latest(base ?? 'PersistedModel'))?.definition.properties ?? {}
  const isNothing = ([name, written]: [string, unknown]): boolean =>
    (written === null || written === false) && !Object.hasOwn(inherited, name)
  if (!Object.entries(properties).some(isNothing)) return definition
  const left = Object.entries(properties).filter((entry) => !isNothing(entry))
  return { ...definition, properties: Object.fromEntries(left) }
}
