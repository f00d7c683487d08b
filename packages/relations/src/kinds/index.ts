import type { RelationDefinition } from '@modelwire/core'
import type { RelationKind } from '../relation-kind.ts'
import { belongsTo } from './belongs-to.ts'
import { embedsMany } from './embeds-many.ts'
import { embedsOne } from './embeds-one.ts'
import { hasAndBelongsToMany } from './has-and-belongs-to-many.ts'
import { hasMany } from './has-many.ts'
import { hasManyThrough } from './has-many-through.ts'
import { hasOne } from './has-one.ts'
import { referencesMany } from './references-many.ts'

/** All kinds of relations by the type that definitions name. */
export const relationKinds: Readonly<Record<string, RelationKind>> = {
  belongsTo,
  hasOne,
  hasMany,
  hasManyThrough,
  hasAndBelongsToMany,
  referencesMany,
  embedsOne,
  embedsMany
}

/** The kind of a relation: a hasMany with a model between is one of its own. */
export function kindOf({ type, through }: RelationDefinition): RelationKind {
  if (type === 'hasMany' && through !== undefined && through !== null) return hasManyThrough
  // Core checked the type.
  return relationKinds[type] ?? hasMany
}
