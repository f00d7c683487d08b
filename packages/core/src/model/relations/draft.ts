import type { RelationDefinition } from '../../definition/relation-definition.ts'
import type { ModelRegistry } from '../../registry.ts'
import type { ModelType } from '../model-type.ts'
import type { RelationSettings } from './resolved-relation.ts'

/** A relation on its way: what its definition says, before keys are filled in. */
export interface Draft {
  readonly registry: ModelRegistry
  readonly name: string
  /** It leads to a list of records. */
  readonly many: boolean
  readonly from: ModelType
  readonly definition: RelationDefinition
  readonly settings: RelationSettings
}
