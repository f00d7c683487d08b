import type { Model } from '@modelwire/core'
import type { Call, ResolvedRelation } from '@modelwire/core/plugin'

/** The relation of one record, and the caller. */
export interface Related {
  readonly relation: ResolvedRelation
  readonly parent: Model
  /** Its grant, where it has one, is about the related model. */
  readonly call: Call
}
