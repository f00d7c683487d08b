import type { AnswerBounds } from '../limits/limits.ts'
import type { ValueType } from '../types/property-type.ts'
import type { ModelType } from './model-type.ts'

/** A test of how many related records there are, none included. */
export interface RelatedCount {
  /** On the number, as the value at the path `count`. */
  readonly having: Condition
  /** Records with the same value of this property count as one; absent: each counts. */
  readonly distinct?: string | undefined
}

/**
 * A record of `model` matches `where`, and its `keyTo` equals the tested record's `keyFrom`, or one of its items if that is
 * a list. A key that is absent on either side matches nothing. Only connectors with the capability `relates` receive such a
 * condition.
 */
export interface RelatedTest {
  readonly kind: 'related'
  readonly keyFrom: string
  readonly model: ModelType
  readonly keyTo: string
  /** Only tests declared properties; absent: every record of the model. */
  readonly where: Condition | undefined
  /** The number of such records is tested; absent: there must be one. */
  readonly count?: RelatedCount | undefined
}

/** A checked and converted `where`, which connectors execute. */
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
   * Absent and null values come before all others, and after them in a descending order, as in databases. Without it a
   * connector without a database may order null among numbers, as LoopBack does.
   */
  readonly absentFirst?: boolean | undefined
  /** The path starts at the only record that this finds. Absent for connectors without `relates`. */
  readonly related?: RelatedTest | undefined
  /** The order is by the number of records that `related` finds. */
  readonly counts?: true
}

/**
 * A checked, converted and defaulted filter: the only form that connectors receive. Immutable, so that connectors may cache
 * a plan per filter object.
 */
export interface Filter {
  /** Absent: every record. */
  readonly where?: Condition | undefined
  /** Empty: by id, or by distance if the condition contains `near`. */
  readonly order: readonly OrderClause[]
  /** Absent: no limit. Never 0. */
  readonly limit?: number | undefined
  readonly skip: number
  /** Names of properties to return; absent: all. A connector may return more than these. */
  readonly fields?: ReadonlySet<string> | undefined
  /** As written by the caller; the include loader reads it. */
  readonly include?: unknown
  /**
   * The maximum size of the result, whichever method it is passed to: a larger one is an `AnswerTooLarge`. Absent for code,
   * which has no limit.
   */
  readonly atMost?: AnswerBounds | undefined
  /**
   * `update`: the found rows are locked until the transaction ends, so that other transactions can neither change nor lock
   * them before. Only connectors with the capability `locks` receive it.
   */
  readonly lock?: 'update' | undefined
}

/** A literal string, or a wildcard: any string (`%`), any single character (`_`). */
export type LikeToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }

/** Where the wildcards of a pattern must match in a string. */
export type Anchor =
  | 'none'
  | 'start'
  | 'end'
  | 'whole'
  /** LB3: as the connector's own `like` does: the whole text in SQL, unless a setting says otherwise, and anywhere elsewhere. */
  | 'connector'

/** Literal strings and wildcards. */
export interface Wildcards {
  readonly tokens: readonly LikeToken[]
  readonly anchor: Anchor
}

/**
 * What strings are matched against: wildcards or a regular expression, with a running time that is linear in the string, or
 * trusted code.
 */
export interface Pattern {
  /** As a regular expression, including anchors: for databases that match with these. */
  readonly source: string
  readonly ignoreCase: boolean
  /** For databases that support `like`; absent: the pattern is only a regular expression. */
  readonly wildcards?: Wildcards | undefined
  /** Other values are converted to strings, null to "null". If false, only strings match. */
  readonly readsAll: boolean
  test(text: string): boolean
  /** LB3: for `like`, an absent value reads as the string "undefined"; set if `readsAbsentAsText` holds. */
  readonly matchesAbsent?: boolean
}

/** Distance from a point. A record without a point there never matches. */
export interface Near {
  readonly lat: number
  readonly lng: number
  /** Metres. */
  readonly minDistance?: number | undefined
  /** Metres. */
  readonly maxDistance?: number | undefined
}

/** One end of a range. LB3: null and absent values are both `>=` and `<=` null. */
export interface Bound {
  readonly is: '>' | '>=' | '<' | '<='
  readonly value: unknown
}

interface Negatable {
  /** Inverts the test: values that do not satisfy it match, including absent ones. */
  readonly negated?: boolean | undefined
}

interface Unnegatable {
  readonly negated?: undefined
}

/** The operands of each kind of test. Values are already converted to the declared type. */
export interface Tests {
  /** Null equals null and absent values. A list equals its only item; one with several items equals nothing. */
  readonly equals: Negatable & { readonly value: unknown }
  readonly in: Negatable & { readonly values: readonly unknown[] }
  /** All bounds apply to the same value. */
  readonly range: Unnegatable & { readonly bounds: readonly [Bound] | readonly [Bound, Bound] }
  readonly pattern: Negatable & { readonly pattern: Pattern }
  readonly near: Unnegatable & { readonly near: Near }
}

/** The kinds of tests that connectors execute. */
export type TestKind = keyof Tests

interface Tested {
  readonly kind: 'test'
  /** The property, followed by the steps below it: `address.city` is `['address', 'city']`. */
  readonly path: readonly string[]
  /** The declared type at the end of the path; undefined if nothing is declared. */
  readonly type?: ValueType | undefined
  /**
   * The test comes from a caller: strings are compared by the column's collation in the database. Absent: the server added
   * it, and strings are compared exactly, whatever the column's collation.
   */
  readonly byCollation?: true
}

/** A test of one kind. */
export type TestOf<K extends TestKind> = { readonly [P in K]: Tested & { readonly test: P } & Tests[P] }[K]

/** A test of the value at a path: a list satisfies it if an item does; an empty list satisfies only a negated `equals`. */
export type Comparison = TestOf<TestKind>
