import type { AnswerBounds } from '../limits/answer-bounds.ts'
import type { ModelType } from './model-type.ts'
import type { ValueType } from '../types/value-type.ts'

/** A regular expression with a running time that is linear in the text, or a trusted one from code. */
export interface Pattern {
  /** The expression's text, for databases that match by themselves. */
  readonly source: string
  readonly ignoreCase: boolean
  test(text: string): boolean
  /** LB3: for `like`, an absent value reads as the text "undefined"; set in `compat` mode alone. */
  readonly matchesAbsent?: boolean
}

/** Operators that compare with one value. */
export type OneValueOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
/** Operators that look into a list. */
export type ListOperator = 'inq' | 'nin'
/** `like` and `nlike` with their case-insensitive forms: `%` any text, `_` any character. */
export type LikeOperator = 'like' | 'nlike' | 'ilike' | 'nilike'
/** Every operator of a `where`. */
export type Operator = OneValueOperator | ListOperator | LikeOperator | 'between' | 'regexp' | 'near'

interface Test {
  /** The property, then the steps below it: `address.city` is `['address', 'city']`. */
  readonly path: readonly string[]
  /** The declared type of what the path leads to; undefined where nothing is declared. */
  readonly type?: ValueType | undefined
}

/** A test of one path against one value, already converted to the declared type. */
export type Comparison = Test &
  (
    | { readonly kind: 'test'; readonly operator: OneValueOperator; readonly value: unknown }
    | { readonly kind: 'test'; readonly operator: ListOperator; readonly value: readonly unknown[] }
    | { readonly kind: 'test'; readonly operator: 'between'; readonly value: readonly [unknown, unknown] }
    | { readonly kind: 'test'; readonly operator: LikeOperator; readonly value: Pattern; readonly like: string }
    | { readonly kind: 'test'; readonly operator: 'regexp'; readonly value: Pattern }
    | { readonly kind: 'test'; readonly operator: 'near'; readonly value: Near }
  )

/** Distance from a point. A record without a point there never matches. */
export interface Near {
  readonly lat: number
  readonly lng: number
  /** Metres. */
  readonly minDistance?: number | undefined
  /** Metres. */
  readonly maxDistance?: number | undefined
}

/**
 * A record of `model` matches `where` and holds, in `keyTo`, what the property `keyFrom` of the tested record holds, or one of
 * the items where that is a list. A key that is absent on either side matches nothing. Only connectors whose capabilities
 * have `relates` are handed such a condition.
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
  /** Matches no record, such as a number property compared with text that is no number. */
  | { readonly kind: 'never' }
  | RelatedTest
  | Comparison

/** One step of `order`. */
export interface OrderClause {
  readonly path: readonly string[]
  readonly type?: ValueType | undefined
  readonly descending: boolean
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
   * The most that this filter may give, of whichever method it is handed to: what is beyond is an `AnswerTooLarge`. Absent for
   * code, which may read what it likes.
   */
  readonly atMost?: AnswerBounds | undefined
  /**
   * `update`: the rows that are found are locked until the transaction ends, so that nobody else changes them, or locks them, before.
   * Only connectors whose capabilities have `locks` are handed it.
   */
  readonly lock?: 'update' | undefined
}
