import type { TextPart } from '../aggregate/date-parts.ts'
import type { DatePart } from '../contract/aggregate.ts'
import type { ModelFacts, UnknownFacts } from '../definition/model-facts.ts'
import type { Directed, Where } from './filter-types.ts'

type Name<T> = keyof T & string

/** Names of the properties of `T` whose values are of the type `V`, or of a type that is not known. */
type NameOf<T, V> = {
  [K in Name<T>]-?: unknown extends T[K] ? K : NonNullable<T[K]> extends V ? K : never
}[Name<T>]
type Numeric<T> = NameOf<T, number | string>
type Comparable<T> = NameOf<T, number | string | Date>
type Plain<T> = NameOf<T, number | string | boolean | Date>

/** One of `group`: a property, or a part of a date such as `{ year: 'createdAt', as: 'y' }`. */
export type GroupInput<T> =
  | Plain<T>
  | { [P in DatePart]: { readonly [Q in P]: NameOf<T, Date> } & { readonly as?: string } }[DatePart]

/** Names of properties, or properties by aliases. */
type MeasureInput<N extends string> = N | readonly N[] | { readonly [alias: string]: N }

/** What to sum, and what to group it by. All parts are optional, but something has to be asked for. */
export interface AggregateInput<T, F extends ModelFacts = UnknownFacts> {
  readonly where?: Where<T, F>
  readonly group?: GroupInput<T> | readonly GroupInput<T>[]
  /** `true`: the records. Properties: their values that are not null. */
  readonly count?: boolean | Plain<T> | readonly Plain<T>[] | { readonly [alias: string]: true | Plain<T> }
  readonly sum?: MeasureInput<Numeric<T>>
  readonly avg?: MeasureInput<Numeric<T>>
  readonly min?: MeasureInput<Comparable<T>>
  readonly max?: MeasureInput<Comparable<T>>
  /** Conditions on values of the result, by their names. */
  readonly having?: Readonly<Record<string, unknown>>
  /** Values of the result, such as `'sum_total DESC'`. */
  readonly order?: string | readonly string[]
  readonly limit?: number
  readonly skip?: number
  readonly offset?: number
}

type Items<L> = L extends readonly (infer E)[] ? E : L
type Value<T, K> = K extends keyof T ? (unknown extends T[K] ? unknown : NonNullable<T[K]> | null) : never
type PartValue<P> = (P extends TextPart ? string : number) | null

/** Texts hold decimal numbers: their sums are texts, too. */
type SumOf<T, K> = K extends keyof T
  ? unknown extends T[K]
    ? unknown
    : (NonNullable<T[K]> extends string ? string : number) | null
  : never

interface Results<T, K> {
  count: number
  sum: SumOf<T, K>
  avg: SumOf<T, K>
  min: Value<T, K>
  max: Value<T, K>
}
type FunctionName = keyof Results<unknown, never>

type NamedGroups<T, G> = { [K in Extract<G, string>]: Value<T, K> }
type PartName<G, P extends string, N extends string> = G extends { readonly as: infer A extends string }
  ? A
  : `${P}_${N}`
type PartGroup<G> = {
  [P in Extract<keyof G, DatePart> as PartName<G, P, Extract<G[P], string>>]: PartValue<P>
}
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never

type MeasureRow<T, Fn extends FunctionName, M> = M extends true
  ? { count: number }
  : M extends string
    ? { [K in M as `${Fn}_${K}`]: Results<T, K>[Fn] }
    : M extends readonly (infer K)[]
      ? { [N in Extract<K, string> as `${Fn}_${N}`]: Results<T, N>[Fn] }
      : { -readonly [A in keyof M]: Results<T, M[A]>[Fn] }

type Part<Q, K> = K extends keyof Q ? Q[K] : never
type Measures<T, Q> = Intersection<
  { [Fn in FunctionName]: [Part<Q, Fn>] extends [never] ? never : MeasureRow<T, Fn, Part<Q, Fn>> }[FunctionName]
>
type Groups<T, G> = [G] extends [never]
  ? unknown
  : NamedGroups<T, G> & ([Exclude<G, string>] extends [never] ? unknown : Intersection<PartGroups<Exclude<G, string>>>)
type PartGroups<G> = G extends unknown ? PartGroup<G> : never

type Flat<R> = { [K in keyof R]: R[K] } & {}

/** A row of the result of the request `Q`. */
export type AggregateRow<T, Q> = Flat<Groups<T, Items<Part<Q, 'group'>>> & Measures<T, Q>>

/** Names known only at run time pass. */
type CheckedOrder<N extends string, O> =
  string extends Items<O> ? unknown : { readonly order?: Directed<N> | readonly Directed<N>[] }

/** Keys of the request that there are not, and names of its `having` that no value of the result has. */
type SlipsOf<Q, N extends string> =
  | Exclude<keyof Q, keyof AggregateInput<unknown>>
  | (Q extends { readonly having: infer H } ? Exclude<keyof H, N | 'and' | 'or' | 'nor'> : never)
type ResultName<T, Q> = keyof AggregateRow<T, Q> & string

/** `AggregateInput` as `aggregate` takes it: keeps what is written, and refuses names that the result `Q` does not have. */
export type WrittenAggregate<T, F extends ModelFacts, Q extends AggregateInput<T, F>> = Q &
  CheckedOrder<ResultName<T, Q>, Part<Q, 'order'>> &
  (string extends SlipsOf<Q, ResultName<T, Q>>
    ? unknown
    : [SlipsOf<Q, ResultName<T, Q>>] extends [never]
      ? unknown
      : { readonly misspelt: SlipsOf<Q, ResultName<T, Q>> })
