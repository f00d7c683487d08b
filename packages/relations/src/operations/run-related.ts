import type { Model, ModelType, Operation, OperationContext } from '@modelwire/core'
import type { Related, Relation } from '../relation.ts'

/** The relation of the record that a call runs on. */
export function relatedOf(relation: Relation, context: OperationContext): Related {
  // `loadInstance` put a record of the declaring model there.
  return { relation, parent: context.instance as Model, options: context.options }
}

/** The name of a method in access rules: `prototype.__get__books`. */
export function methodName(method: string, { name }: Relation): string {
  return `prototype.__${method}__${name}`
}

/** Makes one operation of a relation. */
export type MakeRelationOperation = (relation: Relation) => Operation

/** What an operation returns: records of the related model, or of any where each has its own. */
export function returnedModel({ to, from }: Relation): ModelType {
  return to ?? from.registry.typeOf('PersistedModel')
}
