import type { AnswerBounds } from '../limits/answer-bounds.ts'
import type { ValueType } from '../types/value-type.ts'
import type { Comparison } from './comparison.ts'
import type { ModelType } from './model-type.ts'

/**
 * A record of `model` matches `where` and holds, in `keyTo`, what the property `keyFrom` of the tested record holds, or
 * one of the items where that is a list. A key that is absent on either side matches nothing. Only connectors whose
 * capabilities have `relates` receive such a condition.
 */
export interface RelatedTest {
  readonly kind: 'related'
  readonly keyFrom: string
  readonly model: ModelType
  readonly keyTo: string
  /** Tests declared properties alone; absent: every record of the model. */
  readonly where: Condition | undefined
}

/** A checked and converted `where`: what connectors carry out. */
export type Condition =
  | { readonly kind: 'and'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'nor'; readonly conditions: readonly Condition[] }
  /** Matches no record, such as a number property compared with text that is not a number. */
  | { readonly kind: 'never' }
  | RelatedTest
  | Comparison

/** One step of `order`. */
export interface OrderClause {
  readonly path: readonly string[]
  readonly type?: ValueType | undefined
  readonly descending: boolean
  /**
   * What is absent or null comes before all values, and after them in a descending order, as databases have it. Without it a
   * connector without a database may order null among numbers, as LoopBack does.
   */
  readonly absentFirst?: boolean | undefined
  /** The path starts at the only record that this finds. Absent where connectors do not have `relates`. */
  readonly related?: RelatedTest | undefined
}

/**
 * A checked, converted and defaulted filter: the only form that reaches a connector. Immutable, so that connectors may
 * keep a plan per filter object.
 */
export interface Filter {
  /** Absent: every record. */
  readonly where?: Condition | undefined
  /** Empty: by id, or by distance where the condition holds `near`. */
  readonly order: readonly OrderClause[]
  /** Absent: no limit. Never 0. */
  readonly limit?: number | undefined
  readonly skip: number
  /** Names to keep; absent: all. A connector may return more than these. */
  readonly fields?: ReadonlySet<string> | undefined
  /** As the caller gave it; the include loader reads it. */
  readonly include?: unknown
  /**
   * The largest result of this filter, whichever method it is passed to: a larger one is an `AnswerTooLarge`. Absent
   * for code, which may read what it likes.
   */
  readonly atMost?: AnswerBounds | undefined
  /**
   * `update`: the rows that are found are locked until the transaction ends, so that other transactions neither change
   * nor lock them before. Only connectors whose capabilities have `locks` receive it.
   */
  readonly lock?: 'update' | undefined
}
