import type { ModelType } from '../contract/model-type.ts'
import { InvalidRelation, RelationTargetMissing } from '../definition/errors.ts'
import type { RelationDefinition } from '../definition/relation-definition.ts'
import type { RelationKeys } from '../contract/relation.ts'
import {
  camelName,
  type Draft,
  findModel,
  findTarget,
  keyIn,
  modelNameOf,
  polymorphicKey,
  type PolymorphicKey,
  withoutBlanks
} from './draft.ts'
import { defineKey, type Key, keyFor, typeOfKey } from './define-key.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'

/** @throws {RelationTargetMissing} there is no such model */
function findThrough({ registry, name, from, definition }: Draft): ModelType {
  const through = findModel(registry, definition.through)
  if (through !== undefined) return through
  const place = { model: from.name, key: `relations.${name}.through` }
  throw new RelationTargetMissing(`unknown model "${String(definition.through)}"`, place)
}

/** True for a relation of a model whose records hold the key of one other record. */
const holdsKey = ({ registry }: ModelType, relation: RelationDefinition): boolean =>
  registry.relations.kindOf(relation)?.holdsKey === 'one'

/** Keys of the model between by which it belongs to `model`, by its own relations. */
function keysTo(through: ModelType, model: ModelType): string[] {
  return Object.entries(through.definition.relations ?? {})
    .map(([name, definition]) => [name, withoutBlanks(definition)] as const)
    .filter(([, relation]) => relation.polymorphic === undefined && holdsKey(through, relation))
    .filter(([name, definition]) => (modelNameOf(definition.model) ?? name).toLowerCase() === model.name.toLowerCase())
    .map(([name, { foreignKey }]) => foreignKey ?? `${name}Id`)
}

/** The name of a key that nothing else names. */
const defaultKeyOf = (model: ModelType): string => `${camelName(model.name)}Id`

/** The key of one side: as defined, else named after the model, else what the model between calls it. */
function keyOfSide(
  through: ModelType,
  model: ModelType,
  written: string | undefined,
  other: string | undefined
): string {
  if (written !== undefined) return written
  const defaultKey = defaultKeyOf(model)
  const keys = keysTo(through, model).filter((key) => key !== other)
  return keys.length === 0 || keys.includes(defaultKey) ? defaultKey : (keys[0] ?? defaultKey)
}

/** LB3: `keyThrough` counts nowhere but where it is the key of a relation of the model between; lib/relation-definition.js, hasMany */
function keyThroughOf({ definition, from, registry }: Draft, through: ModelType, to: ModelType): string | undefined {
  const { keyThrough } = definition
  const keys = registry.rules.ignoresUnrelatedKeyThrough && from !== to ? keysTo(through, to) : []
  return keyThrough === undefined || keys.length === 0 || keys.includes(keyThrough) ? keyThrough : undefined
}

function keysOf(draft: Draft, through: ModelType, to: ModelType, polymorphic: PolymorphicKey | undefined) {
  const { definition, from } = draft
  const inverts = definition['invert'] === true
  const keyFrom = keyOfSide(
    through,
    from,
    polymorphic !== undefined && !inverts ? polymorphic.foreignKey : definition.foreignKey,
    definition.keyThrough
  )
  const written = polymorphic !== undefined && inverts ? polymorphic.foreignKey : keyThroughOf(draft, through, to)
  return { keyFrom, keyTo: keyOfSide(through, to, written, keyFrom) }
}

/**
 * A relation whose keys are in a through model.
 * @throws {RelationTargetMissing} one of the two models does not exist
 */
export function resolveThrough(draft: Draft): RelationKeys {
  const { from, definition } = draft
  const to = findTarget(draft)
  const model = findThrough(draft)
  const polymorphic = polymorphicKey(draft)
  const keys = keysOf(draft, model, to, polymorphic)
  const keyFrom = keyIn(draft, from, definition.primaryKey)
  const keyTo = keyIn(draft, to)
  // Of a polymorphic one either side may be the one that varies.
  const keyOf = (target: ModelType, property: string): Key =>
    polymorphic === undefined ? keyFor(target, property) : { type: typeOfKey(target, property) }
  defineKey(model, keys.keyFrom, keyOf(from, keyFrom))
  defineKey(model, keys.keyTo, keyOf(to, keyTo))
  if (polymorphic !== undefined) defineKey(model, polymorphic.discriminator, { type: 'string' })
  const value = definition['invert'] === true ? to.name : from.name
  const discriminator = polymorphic && { property: polymorphic.discriminator, value }
  return { to, keyFrom, keyTo, through: { model, ...keys }, discriminator }
}

/** True when a model has a relation of the type to another one through an implicit model. */
function isJoinedTo(type: string, model: ModelType, other: ModelType): boolean {
  return Object.values(model.definition.relations ?? {}).some(
    (relation) => relation.type === type && relation.through === undefined && modelNameOf(relation.model) === other.name
  )
}

/** LB3: of two models that are joined to each other, the one that was defined last is named first. */
function namesOf({ registry, from, definition }: Draft, to: ModelType): readonly [string, string] {
  const names = registry.names()
  const isFirst = names.indexOf(from.name) < names.indexOf(to.name) && isJoinedTo(definition.type, to, from)
  return isFirst ? [to.name, from.name] : [from.name, to.name]
}

/** A pair is joined once. LB3: its tables have no such index, and may hold pairs twice. */
function uniqueKeys(
  { registry, from, definition }: Draft,
  to: ModelType,
  name: string
): Pick<ModelDefinition, 'indexes'> {
  if (registry.rules.listsEachLink || definition.polymorphic !== undefined) return {}
  const keys = [definition.foreignKey ?? defaultKeyOf(from), definition.keyThrough ?? defaultKeyOf(to)]
  return { indexes: { [`${[name, ...keys].join('_')}_key`]: { keys, unique: true } } }
}

const isBlank = (value: unknown): boolean => value === undefined || value === ''

const hasImplicitModel = ({ type, through, polymorphic }: RelationDefinition): boolean =>
  type === 'hasAndBelongsToMany' && isBlank(through) && polymorphic === undefined

/** The two sides of one relation between records of a model: each has the other's keys. */
const isInverse = (one: RelationDefinition, other: RelationDefinition): boolean =>
  !isBlank(one.foreignKey) && one.foreignKey === other.keyThrough && one.keyThrough === other.foreignKey

/**
 * The name of an earlier relation of the same model that would keep its links in the same implicit model as this one;
 * undefined if there is none.
 */
export function sharesLinksWith(from: ModelType, name: string): string | undefined {
  const relations = Object.entries(from.definition.relations ?? {})
  const at = relations.findIndex(([key]) => key === name)
  const own = relations[at]?.[1]
  if (own === undefined || !hasImplicitModel(own)) return undefined
  const to = modelNameOf(own.model)
  const isShared = (other: RelationDefinition): boolean =>
    hasImplicitModel(other) && modelNameOf(other.model) === to && !(to === from.name && isInverse(own, other))
  return relations.slice(0, at).find(([, other]) => isShared(other))?.[0]
}

/** @throws {InvalidRelation} another relation has its links in the same model: removing one would remove the other's */
function refuseSharedLinks({ registry, from, name }: Draft): void {
  const other = registry.rules.sharesLinks ? undefined : sharesLinksWith(from, name)
  if (other === undefined) return
  throw new InvalidRelation(
    `the relations "${other}" and "${name}" would share their links: declare a model of its own for each as "through"`,
    { model: from.name, key: `relations.${name}` }
  )
}

/** The model between, made where there is none, and not exposed. It is stored under its name, in tables of LoopBack, too. */
function joinModel(draft: Draft, to: ModelType): string {
  const { registry, from } = draft
  const existing = findModel(registry, `${from.name}${to.name}`) ?? findModel(registry, `${to.name}${from.name}`)
  if (existing !== undefined) return existing.name
  const name = namesOf(draft, to).join('')
  registry.define({ name, public: false, ...uniqueKeys(draft, to, name) })
  registry.attach(name, from.dataSource?.name ?? null)
  return name
}

/** LB3: the model between that an application defines belongs to both, whether or not it declares that. */
function addRelationsBack(registry: Registry, named: unknown, sides: readonly ModelType[]): void {
  const through = findModel(registry, named)
  if (through === undefined) return
  for (const side of sides) {
    const relation = camelName(side.name)
    if (through.definition.relations?.[relation] === undefined)
      registry.relations.declare(through, relation, { type: 'belongsTo', model: side.name })
  }
}

/**
 * A relation through a model that need not be defined.
 * @throws {InvalidRelation} it would share that model with another relation
 * @see LoopBack 3: hasAndBelongsToMany
 */
export function resolveJoined(draft: Draft): RelationKeys {
  const { registry, from, definition } = draft
  if (registry.rules.relatesThroughBack && definition.through !== undefined && definition.polymorphic === undefined)
    addRelationsBack(registry, definition.through, [from, findTarget(draft)])
  if (definition.through === undefined) refuseSharedLinks(draft)
  const through = definition.through ?? joinModel(draft, findTarget(draft))
  return resolveThrough({ ...draft, definition: { ...definition, through } })
}
