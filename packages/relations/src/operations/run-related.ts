import type { Model, OperationContext } from '@modelwire/core'
import type { ModelType, Operation, ResolvedRelation } from '@modelwire/core/plugin'
import type { Related } from '../related.ts'

/** The relation of the record that a call runs on. */
export function relatedOf(relation: ResolvedRelation, context: OperationContext): Related {
  // `loadInstance` put a record of the declaring model there.
  return { relation, parent: context.instance as Model, call: context }
}

/** Makes one operation of a relation. */
export type MakeRelationOperation = (relation: ResolvedRelation) => Operation

/** What an operation returns: records of the related model, or of any where each has its own. */
export function returnedModel({ to, from }: ResolvedRelation): ModelType {
  return to ?? from.registry.typeOf('PersistedModel')
}
