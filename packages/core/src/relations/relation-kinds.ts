import type { RelationDefinition, RelationKindName } from '../definition/relation-definition.ts'
import type { Draft } from './draft.ts'
import { resolveBelongsTo } from './resolve-belongs-to.ts'
import { resolveChildren } from './resolve-children.ts'
import { resolveEmbedsMany, resolveEmbedsOne } from './resolve-embedded.ts'
import { resolveJoined } from './resolve-joined.ts'
import { resolveReferences } from './resolve-references.ts'
import { resolveThrough } from './resolve-through.ts'
import type { RelationKeys, RelationKindFacts } from '../contract/resolved-relation.ts'

/** A kind of relation as data, and how its keys are found. */
export interface RelationKindEntry extends RelationKindFacts {
  /** Fills in what a definition leaves open and gives the models the properties that the relation needs. */
  readonly resolve: (draft: Draft) => RelationKeys
}

const plain = { many: false, embeds: false, holdsKey: undefined } as const
const several = { ...plain, many: true } as const

const kinds: Readonly<Record<RelationKindName, Omit<RelationKindEntry, 'kind'>>> = {
  belongsTo: { ...plain, holdsKey: 'one', resolve: resolveBelongsTo },
  hasOne: { ...plain, resolve: resolveChildren },
  hasMany: { ...several, resolve: resolveChildren },
  hasManyThrough: { ...several, resolve: resolveThrough },
  hasAndBelongsToMany: { ...several, resolve: resolveJoined },
  referencesMany: { ...several, holdsKey: 'list', resolve: resolveReferences },
  embedsOne: { ...plain, embeds: true, resolve: resolveEmbedsOne },
  embedsMany: { ...several, embeds: true, resolve: resolveEmbedsMany }
}

/** The kind of a relation: a hasMany with a model between is one of its own. */
export function relationKindOf({ type, through }: RelationDefinition): RelationKindEntry {
  const isThrough = type === 'hasMany' && through !== undefined && through !== null
  // `checkDefinition` refused every other type.
  const kind = isThrough ? 'hasManyThrough' : (type as RelationKindName)
  return { kind, ...kinds[kind] }
}
