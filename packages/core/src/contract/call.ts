import type { Client } from '../caller/caller.ts'
import type { Grant } from './access-control.ts'

/** The part of an operation's `options` that identifies the caller. Named as in LoopBack's `optionsFromRequest`. */
export interface QueryOptions {
  readonly prohibitHiddenPropertiesInQuery?: boolean
  readonly maxDepthOfQuery?: number
}

/**
 * The options that a call passes to operation hooks; core itself uses the keys of `QueryOptions`.
 * @example
 * ```ts
 * import type { Options } from '@modelwire/core'
 *
 * const options: Options = { reason: 'sale' }
 * app.models.Product.observe('before save', (context) => console.log(context.options['reason'])) // sale
 * await app.models.Product.updateAll({ price: { gt: 100 } }, { price: 400 }, options)
 * ```
 */
export type Options = Record<string, unknown> & QueryOptions

/** Facts about a page, in addition to its records. */
export interface PageFacts {
  /** The total number of matching records. */
  readonly total?: number | undefined
  /** The cursor of the last record, if others come after it: `after` in the filter of the next page. */
  readonly next?: string | undefined
  /** The cursor of the first record, if others may come before it: `before` in the filter of the previous page. */
  readonly previous?: string | undefined
}

/** The facts that a call requests about its page. */
export interface PageRequest {
  readonly total: boolean
  readonly cursors: boolean
  /** Set by the read. */
  facts?: PageFacts
}

/** The originator of a read or a write. */
export interface Call {
  /** Passed to operation hooks. Application code may read and change it. */
  readonly options: Options
  /**
   * The client on whose behalf it runs: every statement excludes what the client may not see or change. Undefined for
   * application code, which may do everything.
   */
  readonly client?: Client | undefined
  /** What the client may see or change of the operation's model, as determined by its guard. */
  readonly grant?: Grant | undefined
  /** The client's data has already been checked, and the server may have added to it since. */
  readonly isAccepted?: boolean | undefined
  /** Aborted when the client disconnects before the response: reads may be abandoned. Undefined for application code. */
  readonly signal?: AbortSignal | undefined
  /** The records will be embedded in others, where protected properties are not shown either. */
  readonly within?: boolean | undefined
  /** The facts to determine about a list's page; undefined: only the records. */
  readonly page?: PageRequest | undefined
  /** The caller takes the records of a long list part by part: as `PartedRecords`. */
  readonly inParts?: boolean | undefined
  /** A change of many records is refused if it would affect more than this; undefined: no limit. */
  readonly maxAffected?: number | undefined
  /** An internal step of the server: strings in its conditions are compared exactly, whatever their collation. */
  readonly byServer?: true
}
