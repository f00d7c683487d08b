import { LimitExceeded } from '../errors.ts'

/** Limits of what change feeds keep. */
export interface ChangeFeedLimits {
  /** Events of a model that are kept for readers that reconnect. */
  readonly kept: number
  /** Seconds that a model's events are still kept after its last reader has disconnected. */
  readonly keptFor: number
  /** Events that may be queued for one slow reader. */
  readonly waiting: number
}

/** The maximum result of one connector call. Anything beyond either bound is refused, and not read to its end. */
export interface AnswerBounds {
  /** Maximum records; `Infinity`: no limit. */
  readonly rows: number
  /**
   * Maximum bytes of the database's result: exact for a JSON text, and approximate for rows, which databases send in their
   * own formats; `Infinity`: no limit. A connector that returns rows already in the memory of the process reports no bytes.
   */
  readonly bytes: number
  /** The options that set the bounds: the error names the one to raise. */
  readonly options: { readonly rows: string; readonly bytes: string }
}

/** Limits of a client's filter. Calls from code have none. */
export interface QueryLimits {
  /** Levels of `and`, `or` and `nor`. LoopBack's `maxDepthOfQuery`. */
  readonly depth: number
  /** Conditions in one `where`. */
  readonly conditions: number
  /** Items of one list. */
  readonly listItems: number
  /** Bounds of each read that the filter causes, and of the response as a whole; absent: none. */
  readonly answer?: AnswerBounds | undefined
}

/** The default limits of clients, which options of `rest` change. */
export const defaultQueryLimits: QueryLimits = { depth: 12, conditions: 200, listItems: 2000 }
/** No limits, for calls from code. */
export const noQueryLimits: QueryLimits = { depth: Infinity, conditions: Infinity, listItems: Infinity }

/** Counts against the limits while a filter is compiled. */
export class QueryBudget {
  readonly limits: QueryLimits
  #conditions = 0
  constructor(limits: QueryLimits) {
    this.limits = limits
  }

  /** @throws {LimitExceeded} */
  depth(level: number): void {
    if (level > this.limits.depth) throw new LimitExceeded(`a filter may be at most ${this.limits.depth} levels deep`)
  }

  /** @throws {LimitExceeded} */
  condition(): void {
    if (++this.#conditions > this.limits.conditions)
      throw new LimitExceeded(`a filter may have at most ${this.limits.conditions} conditions`)
  }

  /** @throws {LimitExceeded} */
  list(length: number): void {
    if (length > this.limits.listItems)
      throw new LimitExceeded(`a list in a filter may have at most ${this.limits.listItems} items`)
  }
}
