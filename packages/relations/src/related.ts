import type { Model, OperationContext } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import type { Call, Operation, PartedRecords, Records, ResolvedRelation } from '@modelwire/core/plugin'

/** The relation of one record, and the caller. */
export interface Related {
  readonly relation: ResolvedRelation
  readonly parent: Model
  /** Its grant, if it has one, refers to the related model. */
  readonly call: Call
}

type Where = unknown

/** The methods for the one related record. Those that a kind does not support are absent. */
export interface ToOneMethods {
  /** Null if the record no longer exists, undefined if there never was one. */
  readonly get: (related: Related) => Promise<Model | null | undefined>
  /** All matching records: keys that are not unique may find several. */
  readonly all: (related: Related) => Promise<readonly Model[]>
  readonly build?: (related: Related, data: unknown) => Model
  readonly create?: (related: Related, data: unknown) => Promise<Model>
  readonly update?: (related: Related, data: unknown) => Promise<Model>
  readonly destroy?: (related: Related) => Promise<unknown>
}

/** The methods for the related records. Those that a kind does not support are absent. */
export interface ToManyMethods {
  readonly find: (related: Related, filter: unknown) => Promise<Records>
  /** Like `find`, for a response: records are read part by part, if the call takes them so. */
  readonly list?: (related: Related, filter: unknown) => Promise<Records | PartedRecords>
  readonly count: (related: Related, where: Where) => Promise<number>
  readonly build: (related: Related, data: unknown) => Model
  /** Accepts a list if the kind can create several. */
  readonly create: (related: Related, data: unknown) => Promise<Model | Model[]>
  readonly findById: (related: Related, id: unknown) => Promise<Model | null>
  readonly updateById: (related: Related, id: unknown, data: unknown) => Promise<Model>
  readonly destroyById: (related: Related, id: unknown) => Promise<unknown>
  readonly destroyAll: (related: Related, where: Where) => Promise<{ count: number }>
  readonly updateAll?: (related: Related, where: Where, data: unknown) => Promise<{ count: number }>
  readonly exists: (related: Related, id: unknown) => Promise<boolean>
  /** The record at an index of the parent's own list; null if the list is shorter. */
  readonly at?: (related: Related, index: number) => Promise<Model | null>
  /** Links a record, given by its id or itself, to the parent. */
  readonly add?: (related: Related, target: unknown, data?: unknown) => Promise<Model | null>
  readonly remove?: (related: Related, target: unknown) => Promise<unknown>
}

/** The relation of the record that a call runs on. */
export function relatedOf(relation: ResolvedRelation, context: OperationContext): Related {
  // `loadInstance` put a record of the declaring model there.
  return { relation, parent: context.instance as Model, call: context }
}

/** Makes one operation of a relation. */
export type MakeRelationOperation = (relation: ResolvedRelation) => Operation

/** The return type of an operation: records of the related model, or of any if each has its own. */
export function returnedModel({ to, from }: ResolvedRelation): ModelType {
  return to ?? from.registry.typeOf('PersistedModel')
}
