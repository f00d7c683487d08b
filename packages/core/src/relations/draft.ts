import type { RelationDefinition } from '../definition/relation-definition.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { RelationSettings } from '../contract/relation.ts'
import { isPlainObject } from '@modelwire/server'
import { isComposite } from '../model/composite-key.ts'
import { InvalidRelation, RelationTargetMissing } from '../definition/errors.ts'
import { inflection } from '../definition/model-definition.ts'

/** The two properties of a polymorphic key. */
export interface PolymorphicKey {
  /** The name shared by both sides. */
  readonly selector: string
  readonly foreignKey: string
  readonly discriminator: string
  /** Written type of the key; absent: that of the declaring model's id. */
  readonly idType: unknown
}

const textOrNone = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A relation being resolved: its definition, before keys are filled in. */
export interface Draft {
  readonly registry: Registry
  readonly name: string
  /** It leads to a list of records. */
  readonly many: boolean
  readonly from: ModelType
  readonly definition: RelationDefinition
  readonly settings: RelationSettings
}

/** Converts a model name to the name of a key or relation, as LoopBack does: `OrderItem` and `order_item` → `orderItem`. */
export function camelName(name: string): string {
  const [first = '', ...others] = name.split('_')
  return [lowered(first), ...others.map((part) => part.charAt(0).toUpperCase() + part.slice(1))].join('')
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/**
 * The property that a relation's key refers to: the named one, else the id, which is called `id` if the model has none.
 * @throws {InvalidRelation} the id consists of several properties, and none is named
 */
export function keyIn({ from, name }: Pick<Draft, 'from' | 'name'>, model: ModelType, primaryKey?: string): string {
  if (isComposite(model) && (primaryKey === undefined || !model.byName.has(primaryKey)))
    throw new InvalidRelation(
      `the id of ${model.name} consists of ${model.keyNames.join(' and ')}, which no single key can refer to: name a property of ${model.name} as "primaryKey"`,
      { model: from.name, key: `relations.${name}` }
    )
  return primaryKey ?? model.idProperty?.name ?? 'id'
}

/** A definition without its empty entries: LoopBack 3's generator writes `"foreignKey": ""` for a default key. */
export function withoutBlanks(definition: RelationDefinition): RelationDefinition {
  const entries = Object.entries(definition).filter(([, value]) => value !== '')
  // The type is never empty: core checked it.
  return Object.fromEntries(entries) as RelationDefinition
}

/**
 * The properties of a polymorphic key: from `true`, the name of the other side's relation, or an object; undefined if the
 * relation is not polymorphic.
 * @see LoopBack 3: loopback-datasource-juggler, lib/relation-definition.js, normalizePolymorphic
 */
export function polymorphicKey({ name, definition }: Draft): PolymorphicKey | undefined {
  const { polymorphic } = definition
  if (polymorphic === undefined || polymorphic === false || polymorphic === null) return undefined
  const settings = isPlainObject(polymorphic) ? polymorphic : {}
  const selector = textOrNone(polymorphic) ?? textOrNone(settings['selector']) ?? textOrNone(settings['as']) ?? name
  return {
    selector,
    foreignKey: textOrNone(settings['foreignKey']) ?? `${camelName(selector)}Id`,
    discriminator: textOrNone(settings['discriminator']) ?? `${camelName(selector)}Type`,
    idType: settings['idType']
  }
}

/**
 * Finds a model by its class or its name; the latest one with the name counts once it has its data source. As in LoopBack,
 * case is ignored if there is no exact match.
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

/** The model of a class; undefined for anything else. */
export function typeOfClass(model: unknown): ModelType | undefined {
  const type: unknown = typeof model === 'function' && 'modelType' in model ? model.modelType : undefined
  return type as ModelType | undefined // only classes of models have it
}

/** The name of a model given as a name, or as its class. */
export function modelNameOf(model: unknown): string | undefined {
  if (typeof model === 'string') return model
  return typeof model === 'function' && 'modelName' in model && typeof model.modelName === 'string'
    ? model.modelName
    : undefined
}

/** Finds the model that a relation to one or to many names: the latter also by its plural. */
export function findNamed(registry: Registry, reference: unknown, many: boolean): ModelType | undefined {
  const found = findModel(registry, reference)
  if (found !== undefined || !many || typeof reference !== 'string') return found
  return findModel(registry, inflection.singularize(reference))
}

/**
 * Finds the target model of a relation: the named one, else the one with the relation's name.
 * @throws {RelationTargetMissing} there is no such model
 */
export function findTarget({ registry, name, definition, from, many }: Draft): ModelType {
  const named = modelNameOf(definition.model) ?? name
  const target = findNamed(registry, definition.model ?? name, many)
  if (target !== undefined) return target
  throw new RelationTargetMissing(`unknown model "${named}"`, { model: from.name, key: `relations.${name}.model` })
}
