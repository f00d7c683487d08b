import type { ModelType } from '../contract/model-type.ts'
import { RelationTargetMissing } from '../definition/errors.ts'
import type { RelationDefinition } from '../definition/relation-definition.ts'
import type { RelationKeys } from '../contract/resolved-relation.ts'
import { camelName } from './camel-name.ts'
import { defineKey, type Key, keyFor, typeOfKey } from './define-key.ts'
import type { Draft } from './draft.ts'
import { findModel, findTarget, modelNameOf } from './find-target.ts'
import { idNameOf } from './id-name.ts'
import { polymorphicKey, type PolymorphicKey } from './polymorphic.ts'
import { withoutBlanks } from './without-blanks.ts'

/** @throws {RelationTargetMissing} there is no such model */
function findThrough({ registry, name, from, definition }: Draft): ModelType {
  const through = findModel(registry, definition.through)
  if (through !== undefined) return through
  const place = { model: from.name, key: `relations.${name}.through` }
  throw new RelationTargetMissing(`no model is named "${String(definition.through)}"`, place)
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
export const defaultKeyOf = (model: ModelType): string => `${camelName(model.name)}Id`

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

/** A relation whose keys lie in a model between. @throws {RelationTargetMissing} one of the two models does not exist */
export function resolveThrough(draft: Draft): RelationKeys {
  const { from, definition } = draft
  const to = findTarget(draft)
  const model = findThrough(draft)
  const polymorphic = polymorphicKey(draft)
  const keys = keysOf(draft, model, to, polymorphic)
  const keyFrom = definition.primaryKey ?? idNameOf(from)
  const keyTo = idNameOf(to)
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
