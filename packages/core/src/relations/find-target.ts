import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import { RelationTargetMissing } from '../definition/errors.ts'
import { inflection } from '../definition/model-names.ts'
import type { Draft } from './draft.ts'

/**
 * A model by its class or its name, where the last one of this name counts once it has its data source; as in LoopBack, upper and
 * lower case do not matter where nothing else fits.
 */
export function findModel(registry: Registry, reference: unknown): ModelType | undefined {
  const given = typeOfClass(reference)
  if (given?.registry === registry) return given
  const name = modelNameOf(reference)
  if (name === undefined) return undefined
  const latest = registry.latest(name)
  const exact = latest?.dataSource === undefined ? registry.find(name) : latest
  if (exact !== undefined) return exact
  const lower = name.toLowerCase()
  const found = registry.names().find((each) => each.toLowerCase() === lower)
  return found === undefined ? undefined : registry.find(found)
}

/** The model behind its class; undefined for anything else. */
export function typeOfClass(model: unknown): ModelType | undefined {
  const type: unknown = typeof model === 'function' && 'modelType' in model ? model.modelType : undefined
  return type as ModelType | undefined // classes of models alone have it
}

/** The name of a model that was given as a name, or as its class. */
export function modelNameOf(model: unknown): string | undefined {
  if (typeof model === 'string') return model
  return typeof model === 'function' && 'modelName' in model && typeof model.modelName === 'string'
    ? model.modelName
    : undefined
}

/** The model that a relation to one or to many names: the latter also by the plural of its name. */
export function findNamed(registry: Registry, reference: unknown, many: boolean): ModelType | undefined {
  const found = findModel(registry, reference)
  if (found !== undefined || !many || typeof reference !== 'string') return found
  return findModel(registry, inflection.singularize(reference))
}

/**
 * The model that a relation leads to: the one it names, else the one that is called like the relation.
 * @throws {RelationTargetMissing} there is no such model
 */
export function findTarget({ registry, name, definition, from, many }: Draft): ModelType {
  const named = modelNameOf(definition.model) ?? name
  const target = findNamed(registry, definition.model ?? name, many)
  if (target !== undefined) return target
  throw new RelationTargetMissing(`no model is named "${named}"`, { model: from.name, key: `relations.${name}.model` })
}
