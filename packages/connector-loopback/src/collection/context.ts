import type { Condition, ModelType } from '@modelwire/core/connector'
import type { Family } from '../family.ts'
import type { Results } from '../juggler/with-callback.ts'
import type { RowCodec } from '../rows/row-codec.ts'
import type { Pushed } from '../where/pushed.ts'

/** What the operations of one model work with, once its connector is connected. */
export interface CollectionContext {
  readonly model: ModelType
  readonly family: Family
  readonly codec: RowCodec
  /** The part of a condition that is sent to the connector. */
  readonly push: (where: Condition | undefined) => Pushed
  /** The condition as it is tested in this process. */
  readonly test: (where: Condition) => Condition
  readonly hasMethod: (method: string) => boolean
  /** Calls a method of the connector for the model. Its errors have a code. */
  readonly call: (method: string, ...args: readonly unknown[]) => Promise<Results>
  readonly isInTransaction: () => boolean
  /** Runs several calls as one where the connector has transactions; else no other writing call of this process comes between. */
  readonly together: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** The name of the id property; undefined for a model without one. */
export const idNameOf = ({ model }: CollectionContext): string | undefined => model.idProperty?.name
