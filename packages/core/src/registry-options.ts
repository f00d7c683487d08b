import type { ChangeFeedLimits } from './changes/change-feed.ts'
import type { ModelFunction } from './connector/methods/connector-method.ts'
import type { Model } from './model/model.ts'
import type { Operation } from './operations/operation.ts'
import type { ProtocolVersion } from './version.ts'

/** Calls a method of a model on behalf of a client. `boot` replaces it to speak to callback-style functions. */
export type CallMethod = (
  method: (...args: unknown[]) => unknown,
  self: unknown,
  args: readonly unknown[],
  operation: Operation
) => unknown

/** Makes of a method that gives a promise the function that code of the application calls. `boot` lets it take a callback. */
export type OfferMethod = (method: ModelFunction) => ModelFunction

/** How a registry behaves. */
export interface RegistryOptions {
  /** Major version of the wire protocol. Default 3. */
  readonly version?: ProtocolVersion
  /**
   * Answers like LoopBack also where its answers help nobody: errors that LoopBack sends without `code` have none, only the
   * first of several operators on one property counts, dates in `inq` match nothing, and three more that
   * `docs/wire-protocol.md` lists. Default false; `boot` sets it.
   */
  readonly compat?: boolean
  /** Root class of all models. */
  readonly modelBase?: typeof Model
  readonly callMethod?: CallMethod
  readonly offerMethod?: OfferMethod
  /** How much is kept for readers of change streams. */
  readonly changeStreams?: Partial<ChangeFeedLimits>
  /** Hears of properties whose type is neither built in nor a model: their values are kept as they are. Absent: they are refused. */
  readonly onUnknownType?: (type: string, model: string, property: string) => void
  /** Hears of errors that have nowhere else to go, such as those of change listeners. */
  readonly onError?: (error: unknown) => void
}

/** Where nobody hears of errors. */
export const rethrow = (error: unknown): never => {
  throw error
}
