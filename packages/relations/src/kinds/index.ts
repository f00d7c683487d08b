import type { RelationKindName } from '@modelwire/core'
import type { ResolvedRelation } from '@modelwire/core/plugin'
import type { RelationKind } from '../relation-kind.ts'
import { belongsTo } from './belongs-to.ts'
import { embedsMany } from './embeds-many.ts'
import { embedsOne } from './embeds-one.ts'
import { hasMany } from './has-many.ts'
import { hasManyThrough } from './has-many-through.ts'
import { hasOne } from './has-one.ts'
import { referencesMany } from './references-many.ts'

const relationKinds: Readonly<Record<RelationKindName, RelationKind>> = {
  belongsTo,
  hasOne,
  hasMany,
  hasManyThrough,
  // Its model between may have been made by core; it behaves as any other.
  hasAndBelongsToMany: hasManyThrough,
  referencesMany,
  embedsOne,
  embedsMany
}

/** What can be done with a relation. */
export function behaviourOf({ kind }: ResolvedRelation): RelationKind {
  return relationKinds[kind]
}
