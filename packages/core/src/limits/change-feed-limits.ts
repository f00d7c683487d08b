/** How much change feeds remember. */
export interface ChangeFeedLimits {
  /** Events of a model that are kept for readers who come back. */
  readonly kept: number
  /** Seconds for which a model's events are kept on after its last reader has left. */
  readonly keptFor: number
  /** Events that may wait for one slow reader. */
  readonly waiting: number
}
