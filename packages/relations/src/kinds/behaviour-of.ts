import type { RelationKindName } from '@modelwire/core'
import type { RelationKindEntry, ResolvedRelation } from '@modelwire/core/plugin'
import type { RelationKind } from './relation-kind.ts'
import * as kinds from './index.ts'

/** The kinds of relations as modules, which declare what types must know about them. */
export type RelationKinds = typeof kinds

const relationKinds: Readonly<Record<RelationKindName, RelationKind>> = kinds

/** The behaviour of a relation. */
export function behaviourOf({ kind }: Pick<ResolvedRelation, 'kind'>): RelationKind {
  return relationKinds[kind]
}

/** The additional kinds, in the form that core needs. */
export function addedKinds(
  all: Readonly<Record<string, RelationKind>> = relationKinds
): Record<string, RelationKindEntry> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, { many, declares }]) =>
      declares === undefined ? [] : [[name, { many, ...declares }]]
    )
  )
}
