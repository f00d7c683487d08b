import type { RelationKindName } from '@modelwire/core'
import type { RelationKindEntry, ResolvedRelation } from '@modelwire/core/plugin'
import type { RelationKind } from '../relation-kind.ts'
import * as kinds from './index.ts'

/** The kinds of relations as modules, which say what types have to know of them. */
export type RelationKinds = typeof kinds

const relationKinds: Readonly<Record<RelationKindName, RelationKind>> = kinds

/** What can be done with a relation. */
export function behaviourOf({ kind }: Pick<ResolvedRelation, 'kind'>): RelationKind {
  return relationKinds[kind]
}

/** The kinds that core does not know by itself, as it has to know them. */
export function addedKinds(
  all: Readonly<Record<string, RelationKind>> = relationKinds
): Record<string, RelationKindEntry> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, { many, declares }]) =>
      declares === undefined ? [] : [[name, { many, ...declares }]]
    )
  )
}
