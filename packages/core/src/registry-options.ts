import type { ChangeFeedLimits } from './limits/change-feed-limits.ts'
import type { ModelConstructor } from './contract/model-instance.ts'
import type { CallMethod, OfferMethod } from './contract/registry.ts'
import type { ProtocolVersion } from './rules.ts'

/** How a registry behaves. */
export interface RegistryOptions {
  /** Major version of the wire protocol. */
  readonly version?: ProtocolVersion
  /** Answers like LoopBack also where its answers are of no use, as `docs/wire-protocol.md` lists. `boot` sets it. */
  readonly compat?: boolean
  /** Root class of all models. */
  readonly modelBase?: ModelConstructor
  readonly callMethod?: CallMethod
  readonly offerMethod?: OfferMethod
  /** How much is kept for readers of change streams. */
  readonly changeStreams?: Partial<ChangeFeedLimits>
  /**
   * Called for properties whose type is neither built in nor a model: their values are kept as they are. Absent: they
   * are refused.
   */
  readonly onUnknownType?: (type: string, model: string, property: string) => void
  /** Called with errors that have nowhere else to go, such as those of change listeners. */
  readonly onError?: (error: unknown) => void
}

/** The default without `onError`: a warning of the process. Who made the change must not take it for one that failed. */
export const warnOfError = (error: unknown): void =>
  process.emitWarning(error instanceof Error ? error : new Error(String(error)))
