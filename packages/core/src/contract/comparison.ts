import type { ValueType } from '../types/value-type.ts'

/** A stretch of plain text, or a wildcard: any text (`%`), any one character (`_`). */
export type LikeToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }

/** Where in a text the wildcards of a pattern have to match. */
export type Anchor =
  | 'none'
  | 'start'
  | 'end'
  | 'whole'
  /** LB3: as the connector's own `like` does: the whole text in SQL, unless a setting says otherwise, and anywhere elsewhere. */
  | 'connector'

/** Plain texts and wildcards. */
export interface Wildcards {
  readonly tokens: readonly LikeToken[]
  readonly anchor: Anchor
}

/** What texts are compared with: wildcards or a regular expression, with a running time that is linear in the text, or trusted code. */
export interface Pattern {
  /** As a regular expression, anchors included: for databases that match by these. */
  readonly source: string
  readonly ignoreCase: boolean
  /** For databases that have `like`; absent: the pattern is only a regular expression. */
  readonly wildcards?: Wildcards | undefined
  /** Other values are read as texts, null as "null". Where false, only a text matches. */
  readonly readsAll: boolean
  test(text: string): boolean
  /** LB3: for `like`, an absent value reads as the text "undefined"; set where `readsAbsentAsText` holds. */
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

/** One end of a range. LB3: null and absent values are at least, and at most, null. */
export interface Bound {
  readonly is: '>' | '>=' | '<' | '<='
  readonly value: unknown
}

interface Negatable {
  /** Satisfied by the values that do not satisfy the test, absent ones included. */
  readonly negated?: boolean | undefined
}

interface Unnegatable {
  readonly negated?: undefined
}

/** What each kind of test holds. Values are already converted to the declared type. */
export interface Tests {
  /** Null equals null and absent values. A list stands for its only item; one of several equals nothing. */
  readonly equals: Negatable & { readonly value: unknown }
  readonly in: Negatable & { readonly values: readonly unknown[] }
  /** All bounds hold for the same value. */
  readonly range: Unnegatable & { readonly bounds: readonly [Bound] | readonly [Bound, Bound] }
  readonly pattern: Negatable & { readonly pattern: Pattern }
  readonly near: Unnegatable & { readonly near: Near }
}

/** The kinds of tests that connectors carry out. */
export type TestKind = keyof Tests

interface Tested {
  readonly kind: 'test'
  /** The property, then the steps below it: `address.city` is `['address', 'city']`. */
  readonly path: readonly string[]
  /** The declared type of what the path leads to; undefined where nothing is declared. */
  readonly type?: ValueType | undefined
  /**
   * A caller wrote the test: texts are compared as the database compares those of the column. Absent: the server added it, and
   * only the same characters are equal, whatever the collation of the column is.
   */
  readonly byCollation?: true
}

/** A test of one kind. */
export type TestOf<K extends TestKind> = { readonly [P in K]: Tested & { readonly test: P } & Tests[P] }[K]

/** A test of what one path leads to: a list satisfies it when an item does; an empty list satisfies only a negated `equals`. */
export type Comparison = TestOf<TestKind>
