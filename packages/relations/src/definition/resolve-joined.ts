import type { ModelRegistry, ModelType } from '@modelwire/core'
import type { Relation } from '../relation.ts'
import type { Draft } from './draft.ts'
import { findModel, findTarget } from './find-target.ts'
import { resolveThrough } from './resolve-through.ts'

/** The model between, made where there is none: named after both sides, whichever comes first, and not exposed. */
function joinModel(registry: ModelRegistry, from: ModelType, to: ModelType): string {
  const name = `${from.name}${to.name}`
  const known = findModel(registry, name) ?? findModel(registry, `${to.name}${from.name}`)
  if (known !== undefined) return known.name
  registry.define({ name, public: false })
  registry.attach(name, from.dataSource?.name ?? null)
  return name
}

/** A relation through a model that need not be defined. @see LoopBack 3: hasAndBelongsToMany */
export function resolveJoined(draft: Draft): Relation {
  const { registry, from, definition } = draft
  const through = definition.through ?? joinModel(registry, from, findTarget(draft))
  return resolveThrough({ ...draft, definition: { ...definition, through } })
}
