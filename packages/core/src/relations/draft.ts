import type { RelationDefinition } from '../definition/relation-definition.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { RelationSettings } from '../contract/resolved-relation.ts'

/** A relation that is being resolved: its definition, before keys are filled in. */
export interface Draft {
  readonly registry: Registry
  readonly name: string
  /** It leads to a list of records. */
  readonly many: boolean
  readonly from: ModelType
  readonly definition: RelationDefinition
  readonly settings: RelationSettings
}
