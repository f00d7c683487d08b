import type { RelationDefinition, RelationKindName, RelationKindTypes } from '../definition/relation-definition.ts'
import type { RelationKeys, RelationKindFacts } from '../contract/resolved-relation.ts'
import type { Draft } from './draft.ts'
import { resolveBelongsTo } from './resolve-belongs-to.ts'
import { resolveChildren } from './resolve-children.ts'
import { resolveEmbedsMany, resolveEmbedsOne } from './resolve-embedded.ts'
import { resolveJoined } from './resolve-joined.ts'
import { resolveReferences } from './resolve-references.ts'
import { resolveThrough } from './resolve-through.ts'

/** A kind of relation as data, and how its keys are found. */
export interface RelationKindEntry extends Omit<RelationKindFacts, 'kind'> {
  /** Fills in what a definition leaves open and gives the models the properties that the relation needs. */
  readonly resolve: (draft: Draft) => RelationKeys
  /** The type whose relations are of this kind where they have a `through`. Such a kind is not declared by a type of its own. */
  readonly throughOf?: RelationKindName
}

/** Kinds of relations by their names. */
export type RelationKindMap = ReadonlyMap<string, RelationKindEntry>

const plain = { many: false, embeds: false, holdsKey: undefined } as const
const several = { ...plain, many: true } as const

type Entries = { readonly [K in RelationKindName]: RelationKindEntry & Pick<RelationKindTypes[K], 'many'> }

/** LoopBack's kinds, which need no package. */
export const loopbackKinds: Entries = {
  belongsTo: { ...plain, holdsKey: 'one', resolve: resolveBelongsTo },
  hasOne: { ...plain, resolve: resolveChildren },
  hasMany: { ...several, resolve: resolveChildren },
  hasManyThrough: { ...several, resolve: resolveThrough, throughOf: 'hasMany' },
  hasAndBelongsToMany: { ...several, resolve: resolveJoined },
  referencesMany: { ...several, holdsKey: 'list', resolve: resolveReferences },
  embedsOne: { ...plain, embeds: true, resolve: resolveEmbedsOne },
  embedsMany: { ...several, embeds: true, resolve: resolveEmbedsMany }
}

/** The name of a relation's kind: with a model between it may be another one than its type. */
function kindNameOf(kinds: RelationKindMap, { type, through }: RelationDefinition): string {
  if (through === undefined || through === null) return type
  for (const [name, { throughOf }] of kinds) if (throughOf === type) return name
  return type
}

/** The kind of a relation; undefined where none of `kinds` has its type. */
export function relationKindOf(
  kinds: RelationKindMap,
  definition: RelationDefinition
): (RelationKindEntry & RelationKindFacts) | undefined {
  const name = kindNameOf(kinds, definition)
  const found = kinds.get(name)
  // The names of the map are names of kinds.
  return found && { kind: name as RelationKindName, ...found }
}
