import type { AnswerBounds } from './answer-bounds.ts'
import { LimitExceeded } from '../errors.ts'

/** Limits of one filter of a client. Calls from code have none. */
export interface QueryLimits {
  /** Levels of `and`, `or` and `nor`. LoopBack's `maxDepthOfQuery`. */
  readonly depth: number
  /** Conditions in one `where`. */
  readonly conditions: number
  /** Items of one list. */
  readonly listItems: number
  /** Bounds of each read that the filter causes, and of the answer as a whole; absent: none. */
  readonly answer?: AnswerBounds | undefined
}

/** The limits of clients, unless options of `rest` change them. */
export const defaultQueryLimits: QueryLimits = { depth: 12, conditions: 200, listItems: 2000 }
/** For calls from code. */
export const noQueryLimits: QueryLimits = { depth: Infinity, conditions: Infinity, listItems: Infinity }

/** Counts while a filter is compiled. */
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
