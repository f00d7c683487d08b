import type { Operators } from '../operators/index.ts'
import type {
  DeclaredRelations,
  ModelFacts,
  Name,
  RelatedFacts,
  UnknownFacts,
  WithId
} from '../definition/model-facts.ts'

type Item<V> = V extends readonly (infer I)[] ? I : V
type Scalar = string | number | boolean | bigint | symbol | Date | RegExp | Uint8Array | ((...args: never) => unknown)

/** Paths within a value: `city` and `street.name` of an address; any path if its type is unknown. */
type PathsWithin<V, Depth extends readonly 0[]> = unknown extends V
  ? string
  : V extends Scalar
    ? never
    : V extends object
      ? string extends keyof V
        ? string
        : Name<V> | NestedPaths<V, [...Depth, 0]>
      : never

/** Paths into the nested values of `T`, four names long at most. */
type NestedPaths<T, Depth extends readonly 0[] = []> = Depth['length'] extends 3
  ? never
  : { [K in Name<T>]-?: `${K}.${PathsWithin<Item<NonNullable<T[K]>>, Depth>}` }[Name<T>]

type RelatedPaths<R> = {
  [K in Name<R>]: R[K] extends RelatedFacts
    ?
        | `${K}.${Name<WithId<R[K]['record']>> | NestedPaths<R[K]['record'], [0, 0]>}`
        | `${K}.${Name<DeclaredRelations<R[K]['facts']>>}.${string}`
        | `${K}.${keyof RelationOperators<unknown>}`
    : never
}[Name<R>]

/** Dotted paths: into nested values, and to properties of related records. Any, if relations are unknown. */
type Path<T, F extends ModelFacts> = string extends keyof F['relations']
  ? `${string}.${string}`
  : NestedPaths<T> | RelatedPaths<F['relations']>

/** Which of the related records must match `W`, or how many. */
interface RelationOperators<W> {
  some?: W
  none?: W
  every?: W
  count?: number | CountOperators<W>
  eq?: null
  neq?: null
}

/** Comparisons of a number of related records, of those that match `where` if it is set. */
interface CountOperators<W> {
  eq?: number
  neq?: number
  gt?: number
  gte?: number
  lt?: number
  lte?: number
  between?: readonly [number, number]
  inq?: readonly number[]
  nin?: readonly number[]
  where?: W
}

type RelatedTests<W> = W | RelationOperators<W> | null

type RelatedWhere<R> = {
  [K in Name<R>]?: R[K] extends RelatedFacts ? RelatedTests<Where<WithId<R[K]['record']>, R[K]['facts']>> : never
}

/** The type at a dotted path: nested values and related records as declared. */
type AtPath<T, R, P> = P extends `${infer First}.${infer Rest}`
  ? First extends keyof R
    ? R[First] extends RelatedFacts
      ? AtPath<WithId<R[First]['record']>, DeclaredRelations<R[First]['facts']>, Rest>
      : unknown
    : First extends keyof T
      ? AtPath<Item<NonNullable<T[First]>>, {}, Rest>
      : unknown
  : P extends keyof T
    ? T[P]
    : unknown

/** An equal value, an item of a list, or operators. Anything, if the type is unknown. */
type Condition<V> = unknown extends V
  ? unknown
  : NonNullable<V> | null | Item<NonNullable<V>> | Operators<Item<NonNullable<V>>>

/**
 * Conditions on the records of `T`. Paths such as `'address.city'` refer to nested values and related records.
 * @example
 * ```ts
 * import type { Where } from '@modelwire/core'
 *
 * const cheap: Where<{ name: string; price: number }> = {
 *   or: [{ price: { lt: 20 } }, { name: { like: 'Second hand%' } }]
 * }
 * console.log(await app.models.get('Product').count(cheap)) // 1
 * ```
 */
export type Where<T, F extends ModelFacts = UnknownFacts> = {
  [K in keyof T]?: Condition<T[K]>
} & RelatedWhere<DeclaredRelations<F>> & { [P in Path<T, F>]?: Condition<AtPath<T, DeclaredRelations<F>, P>> } & {
    and?: readonly Where<T, F>[]
    or?: readonly Where<T, F>[]
    nor?: readonly Where<T, F>[]
  }

type Sortable<T, F extends ModelFacts> = Name<T> | Path<T, F>

/**
 * `'price DESC'`, `'address.city'`.
 */
export type Order<T, F extends ModelFacts = UnknownFacts> = Directed<Sortable<T, F>>
/** A name, or one with its direction. */
export type Directed<S extends string> = S | `${S} ${'ASC' | 'DESC' | 'asc' | 'desc'}`

type Related<R, K extends keyof R> = R[K] extends RelatedFacts ? R[K] : never

type IncludeEntry<R> =
  | Name<R>
  | {
      [K in Name<R>]: {
        relation: K
        /** Gives the number of related records under the relation's name with `Count` behind it, in place of them. */
        count?: boolean
        scope?: FilterInput<WithId<Related<R, K>['record']>, Related<R, K>['facts']>
      }
    }[Name<R>]
  | ([Name<R>] extends [never] ? never : { [K in Name<R>]?: IncludeInput<Related<R, K>['facts']> })

/** Relations to include: names, `{ relation, scope }`, `{ orders: 'lines' }`, or a list of these. */
export type IncludeInput<F extends ModelFacts = UnknownFacts> = string extends keyof F['relations']
  ? unknown
  : IncludeEntry<F['relations']> | readonly IncludeEntry<F['relations']>[]

/** Names of properties to return, or names with true or false. */
export type FieldsInput<T> = readonly Name<T>[] | { readonly [K in Name<T>]?: boolean }

/**
 * What to read: all parts are optional.
 * @example
 * ```ts
 * import type { FilterInput } from '@modelwire/core'
 *
 * const cheapest = { where: { price: { lt: 500 } }, order: 'price' } satisfies FilterInput<{ price: number }>
 * const [product] = await app.models.Product.find(cheapest)
 * console.log(product?.name) // Lamp
 * ```
 */
export interface FilterInput<T, F extends ModelFacts = UnknownFacts, I = IncludeInput<F>, P = FieldsInput<T>> {
  where?: Where<T, F>
  /** `'price DESC'`, or several; paths such as `'address.city'` refer to nested values and related records. */
  order?: Order<T, F> | readonly Order<T, F>[]
  limit?: number
  skip?: number
  offset?: number
  /** A cursor: only records after the one it was created from, in this order. */
  after?: string
  /** A cursor: only records before it, the nearest ones if there is a limit. */
  before?: string
  /** Names of properties to return, or names with true or false. */
  fields?: P
  /** Relations to include. */
  include?: I
}

type FilterKey = keyof FilterInput<object>

/** Unknown keys of a filter of included records, and of its `where`. */
type SlipsOfScope<S, R> = R extends RelatedFacts
  ?
      | Exclude<keyof S, FilterKey>
      | (S extends { readonly where: infer W } ? Exclude<keyof W, keyof Where<WithId<R['record']>, R['facts']>> : never)
      | (S extends { readonly include: infer I } ? SlipsOfInclude<I, R['facts']['relations']> : never)
  : never

/** Misspelt keys within an include: TypeScript does not reject them where it infers the written type. */
type SlipsOfInclude<I, R> = string extends keyof R
  ? never
  : I extends readonly (infer E)[]
    ? SlipsOfInclude<E, R>
    : I extends { readonly relation: infer N extends keyof R }
      ?
          | Exclude<keyof I, 'relation' | 'scope' | 'count'>
          | (I extends { readonly scope: infer S } ? SlipsOfScope<S, R[N]> : never)
      : I extends object
        ? Exclude<keyof I, keyof R>
        : never

/** The parameter type of `find`: keeps the written `include` `I` and `fields` `P`, and refuses misspelt keys of `I`. */
export type WrittenFilter<T, F extends ModelFacts, I, P, Part extends FilterKey = FilterKey> = Pick<
  FilterInput<T, F, I, P>,
  Part
> &
  ([SlipsOfInclude<I, F['relations']>] extends [never]
    ? unknown
    : { include: { misspelt: SlipsOfInclude<I, F['relations']> } })
