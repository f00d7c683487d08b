import type { TextPart } from '../aggregate/date-parts.ts'
import type { DatePart } from '../contract/aggregate.ts'
import type { IdArgument, ModelFacts, NewRecord, UnknownFacts, WithId } from '../definition/model-facts.ts'
import type { Directed, FieldsInput, FilterInput, IncludeInput, Where, WrittenFilter } from './filter-types.ts'
import type { ChangeStream } from '../changes/change-stream.ts'
import type { Static, TObject } from '@sinclair/typebox'
import type { HookContext, HookName, Observer } from '../hooks/hook-table.ts'
import type { Found, Instance, InstanceMethods } from './instance-types.ts'
import type { ModelType } from '../contract/model-type.ts'

type Name<T> = keyof T & string

/** Names of the properties of `T` whose values have the type `V`, or an unknown one. */
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

/** What to aggregate, and what to group it by. All parts are optional, but at least one is required. */
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

/** String properties hold decimal numbers: their sums are strings, too. */
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

/** Accepts names known only at run time. */
type CheckedOrder<N extends string, O> =
  string extends Items<O> ? unknown : { readonly order?: Directed<N> | readonly Directed<N>[] }

/** Unknown keys of the request, and names in its `having` that are not in the result. */
type SlipsOf<Q, N extends string> =
  | Exclude<keyof Q, keyof AggregateInput<unknown>>
  | (Q extends { readonly having: infer H } ? Exclude<keyof H, N | 'and' | 'or' | 'nor'> : never)
type ResultName<T, Q> = keyof AggregateRow<T, Q> & string

/** The parameter type of `aggregate`: keeps what is written, and refuses names that the result `Q` does not have. */
export type WrittenAggregate<T, F extends ModelFacts, Q extends AggregateInput<T, F>> = Q &
  CheckedOrder<ResultName<T, Q>, Part<Q, 'order'>> &
  (string extends SlipsOf<Q, ResultName<T, Q>>
    ? unknown
    : [SlipsOf<Q, ResultName<T, Q>>] extends [never]
      ? unknown
      : { readonly misspelt: SlipsOf<Q, ResultName<T, Q>> })

/**
 * A record, or changes to one, before validation: any property may be missing.
 * @example
 * ```ts
 * import type { Draft } from '@modelwire/core'
 *
 * const withDefaults = (draft: Draft<{ name: string; price: number }>) => ({
 *   name: draft.name ?? 'Unnamed',
 *   price: draft.price ?? 0
 * })
 * console.log(withDefaults({ price: 5 })) // { name: 'Unnamed', price: 5 }
 * ```
 */
export type Draft<T> = { [K in keyof WithId<T>]?: WithId<T>[K] | undefined }

/**
 * The argument of an observer of a hook: `HookContext` with the types of the model's records.
 * @example
 * ```ts
 * import type { ModelHookContext } from '@modelwire/core'
 *
 * type Deletion = ModelHookContext<Record<string, unknown>, 'before delete'>
 * app.models.get('Review').observe('before delete', ({ where }: Deletion) => console.log(where)) // { stars: 3 }
 * await app.models.Review.destroyAll({ stars: 3 })
 * ```
 */
export interface ModelHookContext<
  T extends object,
  N extends HookName = HookName,
  F extends ModelFacts = UnknownFacts
> {
  readonly Model: ModelClass<T, F>
  readonly hookState: Record<string, unknown>
  readonly options: Record<string, unknown>
  query?: FilterInput<WithId<T>, F>
  where?: Where<WithId<T>, F>
  data?: Draft<T>
  instance?: N extends 'before save' ? Draft<T> & InstanceMethods<T, F> : Instance<T, F>
  currentInstance?: Instance<T, F>
  isNewInstance?: boolean
  info?: { count: number }
}

/**
 * Runs at a hook of a model of `T`.
 * @example
 * ```ts
 * import type { ModelObserver } from '@modelwire/core'
 *
 * const trim: ModelObserver<Record<string, unknown>, 'before save'> = ({ instance }) => {
 *   if (instance !== undefined) instance.name = String(instance.name).trim()
 * }
 * app.models.get('Product').observe('before save', trim)
 * console.log((await app.models.Product.create({ name: ' Chair ', price: 60 })).name) // Chair
 * ```
 */
export type ModelObserver<T extends object, N extends HookName = HookName, F extends ModelFacts = UnknownFacts> = (
  context: ModelHookContext<T, N, F>
) => unknown

/** True if `S` differs from `H` only in one character that is added, omitted, changed or swapped. */
type IsSlipOf<S extends string, H extends string> = S extends `${infer A}${infer R}`
  ? H extends `${infer B}${infer Q}`
    ? A extends B
      ? IsSlipOf<R, Q>
      : R extends H | Q
        ? true
        : S extends Q
          ? true
          : R extends `${B}${infer More}`
            ? Q extends `${A}${More}`
              ? true
              : false
            : false
    : R extends ''
      ? true
      : false
  : H extends `${infer _}${infer Q}`
    ? Q extends ''
      ? true
      : false
    : false

/** The hook that a misspelt event name probably means. */
type MeantHook<N extends string> = {
  [H in HookName]: IsSlipOf<Lowercase<N>, H> extends true ? H : Lowercase<N> extends H ? H : never
}[HookName]
type EventName<N extends string> = string extends N
  ? N
  : [N] extends [HookName]
    ? N
    : [MeantHook<N>] extends [never]
      ? N
      : MeantHook<N>
/**
 * The class of a model: reads and writes records, and creates instances.
 * @example
 * ```ts
 * import type { ModelClass } from '@modelwire/core'
 *
 * const idsOf = async (model: ModelClass) => (await model.find({ order: 'id DESC' })).map(({ id }) => id)
 * console.log(await idsOf(app.models.get('Product'))) // [ 2, 1 ]
 * ```
 */
export interface ModelClass<T extends object = Record<string, unknown>, F extends ModelFacts = UnknownFacts> {
  new (data?: Partial<T>, source?: unknown): Instance<T, F>
  readonly modelName: string
  readonly modelType: ModelType
  find<const I extends IncludeInput<F> = never, const P extends FieldsInput<WithId<T>> = never>(
    filter?: WrittenFilter<WithId<T>, F, I, P>,
    options?: object
  ): Promise<Found<T, F, I, P>[]>
  findOne<const I extends IncludeInput<F> = never, const P extends FieldsInput<WithId<T>> = never>(
    filter?: WrittenFilter<WithId<T>, F, I, P>,
    options?: object
  ): Promise<Found<T, F, I, P> | null>
  findById<const V, const I extends IncludeInput<F> = never, const P extends FieldsInput<WithId<T>> = never>(
    id: IdArgument<F['id'], V>,
    filter?: WrittenFilter<WithId<T>, F, I, P, 'fields' | 'include'>,
    options?: object
  ): Promise<Found<T, F, I, P> | null>
  count(where?: Where<WithId<T>, F>, options?: object): Promise<number>
  /** Sums, averages, counts, minima and maxima of the records that match, by groups. */
  aggregate<const Q extends AggregateInput<WithId<T>, F>>(
    request: WrittenAggregate<WithId<T>, F, Q>,
    options?: object
  ): Promise<AggregateRow<WithId<T>, Q>[]>
  exists<const V>(id: IdArgument<F['id'], V>, options?: object): Promise<boolean>
  create(data: readonly NewRecord<T, F>[], options?: object): Promise<Instance<T, F>[]>
  create(data?: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  /** The first match, or a new record; true if it was created. */
  findOrCreate(
    filter: FilterInput<WithId<T>, F>,
    data: NewRecord<T, F>,
    options?: object
  ): Promise<[Instance<T, F>, boolean]>
  /** Partially updates the record with the data's id, or creates one. */
  patchOrCreate(data: Partial<WithId<T>>, options?: object): Promise<Instance<T, F>>
  upsert(data: Partial<WithId<T>>, options?: object): Promise<Instance<T, F>>
  updateOrCreate(data: Partial<WithId<T>>, options?: object): Promise<Instance<T, F>>
  replaceOrCreate(data: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  replaceById<const V>(id: IdArgument<F['id'], V>, data: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  upsertWithWhere(where: Where<WithId<T>, F>, data: Partial<T>, options?: object): Promise<Instance<T, F>>
  /** With only the data, all records change. */
  updateAll(data: Partial<T>): Promise<{ count: number }>
  updateAll(where: Where<WithId<T>, F>, data: Partial<T>, options?: object): Promise<{ count: number }>
  update(where: Where<WithId<T>, F>, data: Partial<T>, options?: object): Promise<{ count: number }>
  destroyAll(where?: Where<WithId<T>, F>, options?: object): Promise<{ count: number }>
  destroyById<const V>(id: IdArgument<F['id'], V>, options?: object): Promise<{ count: number }>
  deleteById<const V>(id: IdArgument<F['id'], V>, options?: object): Promise<{ count: number }>
  /**
   * Follows changes, including those of models that extend this one: `ChangeEvent`s. Destroy the stream when it is no
   * longer needed.
   */
  createChangeStream(options?: {
    where?: Where<WithId<T>, F>
    fields?: FilterInput<WithId<T>, F>['fields']
    models?: readonly string[]
  }): Promise<ChangeStream>
  observe<N extends HookName>(name: N, observer: ModelObserver<T, N, F>): void
  /** Names other than those of the hooks are custom events. */
  observe<const N extends string>(name: EventName<N>, observer: Observer): void
  removeObserver<N extends HookName>(name: N, observer: ModelObserver<T, N, F>): boolean
  removeObserver<const N extends string>(name: EventName<N>, observer: Observer): boolean
  clearObservers(name: string): void
  notifyObserversOf(name: string | readonly string[], context: HookContext): Promise<HookContext>
}

/**
 * The class of the model that a TypeBox object describes.
 * @example
 * ```ts
 * import type { ModelOf } from '@modelwire/core'
 * import { Type } from '@sinclair/typebox'
 *
 * const schema = Type.Object({ text: Type.String() })
 * const Note = app.models.define({ name: 'Note' }) as unknown as ModelOf<typeof schema>
 * app.models.attach('Note', 'db')
 * console.log((await Note.create({ text: 'Buy milk' })).text) // Buy milk
 * ```
 */
export type ModelOf<S extends TObject> = ModelClass<Static<S>>
