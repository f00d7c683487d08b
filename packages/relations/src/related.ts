import type { Call, Model, ResolvedRelation } from '@modelwire/core'

/** The relation of one record, and who asks for it. */
export interface Related {
  readonly relation: ResolvedRelation
  readonly parent: Model
  /** Its grant, where it has one, is about the related model. */
  readonly call: Call
}
