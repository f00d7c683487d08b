import type { Registry } from '../contract/registry.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { RelationKeys } from '../contract/resolved-relation.ts'
import { camelName } from './camel-name.ts'
import type { Draft } from './draft.ts'
import { findModel, findTarget, modelNameOf } from './find-target.ts'
import { defaultKeyOf, resolveThrough } from './resolve-through.ts'

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

/** A relation through a model that need not be defined. @see LoopBack 3: hasAndBelongsToMany */
export function resolveJoined(draft: Draft): RelationKeys {
  const { registry, from, definition } = draft
  if (registry.rules.relatesThroughBack && definition.through !== undefined && definition.polymorphic === undefined)
    addRelationsBack(registry, definition.through, [from, findTarget(draft)])
  const through = definition.through ?? joinModel(draft, findTarget(draft))
  return resolveThrough({ ...draft, definition: { ...definition, through } })
}
