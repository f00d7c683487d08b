import type { ModelRegistry, ModelType, RelationDefinition } from '@modelwire/core'
import type { RelationKind } from '../relation-kind.ts'
import type { RelationSettings } from '../relation.ts'

/** A relation on its way: what its definition says, before keys are filled in. */
export interface Draft {
  readonly registry: ModelRegistry
  readonly name: string
  readonly kind: RelationKind
  readonly from: ModelType
  readonly definition: RelationDefinition
  readonly settings: RelationSettings
}
