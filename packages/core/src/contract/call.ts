import type { Client } from '../caller/client.ts'
import type { Grant } from './access-control.ts'

/**
 * The part of an operation's `options` that identifies the caller. Named as LoopBack names it in `optionsFromRequest`.
 */
export interface QueryOptions {
  readonly prohibitHiddenPropertiesInQuery?: boolean
  readonly maxDepthOfQuery?: number
}

/** What a call passes to operation hooks; the keys of `QueryOptions` mean something to core. */
export type Options = Record<string, unknown> & QueryOptions

/** What is known of a page beside its records. */
export interface PageFacts {
  /** How many records match in all. */
  readonly total?: number | undefined
  /** The cursor of the last record, where others come after it: `after` in the filter of the next page. */
  readonly next?: string | undefined
  /** The cursor of the first record, where others may come before it: `before` in the filter of the previous page. */
  readonly previous?: string | undefined
}

/** What a call wants to know of the page that it reads. */
export interface PageRequest {
  readonly total: boolean
  readonly cursors: boolean
  /** Set by the read. */
  facts?: PageFacts
}

/** Who causes a read or a write. */
export interface Call {
  /** Passed to operation hooks. Code of the application may read and change it. */
  readonly options: Options
  /**
   * The client on whose behalf it runs: what it may not see or change is left out of every statement. Undefined for
   * code of the application, which may do everything.
   */
  readonly client?: Client | undefined
  /** What the client may see or change of the model that the operation is about, as its guard found. */
  readonly grant?: Grant | undefined
  /** What the client sent was looked at already, and the server has added to it since. */
  readonly isAccepted?: boolean | undefined
  /**
   * Aborted when the client has disconnected before the answer: reads may be given up. Undefined for code of the
   * application.
   */
  readonly signal?: AbortSignal | undefined
  /** The records that are read will lie within others, where protected properties are not shown either. */
  readonly within?: boolean | undefined
  /** What is wanted beside the page of a list, and where that is put; undefined: the records alone. */
  readonly page?: PageRequest | undefined
  /** A change of many that would reach more records than this is refused; undefined: it may reach any number. */
  readonly maxAffected?: number | undefined
  /** A step of the server's own: texts in its conditions are compared by their characters, in whatever collation they are stored. */
  readonly byServer?: true
}
