import type { Condition, ModelType } from '@modelwire/core/connector'
import type { Family } from '../family.ts'
import type { Results } from '../juggler/with-callback.ts'
import type { RowCodec } from '../rows/row-codec.ts'
import type { Pushed } from '../where/push-condition.ts'

/** The context for the operations of one model, once its connector is connected. */
export interface CollectionContext {
  readonly model: ModelType
  readonly family: Family
  readonly codec: RowCodec
  /** The part of a condition that is sent to the connector. */
  readonly push: (where: Condition | undefined) => Pushed
  /** The condition as tested in this process. */
  readonly test: (where: Condition) => Condition
  readonly hasMethod: (method: string) => boolean
  /** Calls a method of the connector for the model. Its errors have a code. */
  readonly call: (method: string, ...args: readonly unknown[]) => Promise<Results>
  readonly isInTransaction: () => boolean
  /**
   * Runs several calls as one transaction if the connector supports it; otherwise without other writes of this process in
   * between.
   */
  readonly together: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** The name of the id property; undefined for a model without one. */
export const idNameOf = ({ model }: CollectionContext): string | undefined => model.idProperty?.name
