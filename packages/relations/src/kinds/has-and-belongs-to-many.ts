import { resolveJoined } from '../definition/resolve-joined.ts'
import type { RelationKind } from '../relation-kind.ts'
import { hasManyThrough } from './has-many-through.ts'

/** As hasMany through a third model, which is made where there is none. */
export const hasAndBelongsToMany: RelationKind = { ...hasManyThrough, resolve: resolveJoined }
