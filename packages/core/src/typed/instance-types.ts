import type { FilterInput, Where } from './filter-types.ts'
import type {
  DeclaredRelations,
  IdArgument,
  ModelFacts,
  Name,
  NewRecord,
  RelatedFacts,
  UnknownFacts,
  WithId
} from '../definition/model-facts.ts'

type Options = object
type Counted = { count: number }

/**
 * The accessor of a relation to one record of `T`. Operations that a kind does not support are absent.
 * @example
 * ```ts
 * import type { ToOne } from '@modelwire/core'
 * import { toOne } from '@modelwire/relations'
 *
 * const nameOf = async (product: Pick<ToOne<{ name: string }>, 'get'>) => (await product.get())?.name
 * const review = await app.models.Review.findById(1)
 * if (review !== null) console.log(await nameOf(toOne(review, 'product', app.models.Product))) // Lamp
 * ```
 */
export interface ToOne<T extends object, F extends ModelFacts = UnknownFacts> {
  /** The related record: the included one, else it is read. Null or undefined if there is none. */
  (refresh?: boolean, options?: Options): Promise<Instance<T, F> | null | undefined>
  get: (refresh?: boolean, options?: Options) => Promise<Instance<T, F> | null | undefined>
  build: (data?: Partial<NewRecord<T, F>>) => Instance<T, F>
  create: (data?: Partial<NewRecord<T, F>>, options?: Options) => Promise<Instance<T, F>>
  update: (data: Partial<T>, options?: Options) => Promise<Instance<T, F>>
  destroy: (options?: Options) => Promise<Counted>
}

/**
 * The accessor of a relation to several records of `T`.
 * @example
 * ```ts
 * import type { ToMany } from '@modelwire/core'
 * import { toMany } from '@modelwire/relations'
 *
 * const countBad = (reviews: Pick<ToMany<{ stars: number }>, 'count'>) => reviews.count({ stars: { lt: 4 } })
 * const product = await app.models.Product.findById(1)
 * if (product !== null) console.log(await countBad(toMany(product, 'reviews', app.models.Review))) // 1
 * ```
 */
export interface ToMany<T extends object, F extends ModelFacts = UnknownFacts> {
  (filter?: FilterInput<WithId<T>, F>, options?: Options): Promise<Instance<T, F>[]>
  find: (filter?: FilterInput<WithId<T>, F>, options?: Options) => Promise<Instance<T, F>[]>
  findOne: (filter?: FilterInput<WithId<T>, F>, options?: Options) => Promise<Instance<T, F> | null>
  findById: <const V>(id: IdArgument<F['id'], V>, options?: Options) => Promise<Instance<T, F>>
  exists: <const V>(id: IdArgument<F['id'], V>, options?: Options) => Promise<boolean>
  count: (where?: Where<WithId<T>, F>, options?: Options) => Promise<number>
  build: (data?: Partial<NewRecord<T, F>>) => Instance<T, F>
  create: ((data: readonly Partial<NewRecord<T, F>>[], options?: Options) => Promise<Instance<T, F>[]>) &
    ((data?: Partial<NewRecord<T, F>>, options?: Options) => Promise<Instance<T, F>>)
  updateById: <const V>(id: IdArgument<F['id'], V>, data: Partial<T>, options?: Options) => Promise<Instance<T, F>>
  /** Removes one record by its id. */
  destroy: <const V>(id: IdArgument<F['id'], V>, options?: Options) => Promise<unknown>
  destroyAll: (where?: Where<WithId<T>, F>, options?: Options) => Promise<Counted>
  /** Only of hasMany: changes all records that match. */
  update: (where: Where<WithId<T>, F>, data: Partial<T>, options?: Options) => Promise<Counted>
  /** Only for relations through a third model and referencesMany: links an existing record. */
  add: (target: unknown, data?: object, options?: Options) => Promise<unknown>
  /** Only for lists in the record itself, embedded ones and referencesMany: the record at an index. */
  at: (index: number) => Promise<Instance<T, F> | null>
  /** Unlinks a record without deleting it. */
  remove: (target: unknown, options?: Options) => Promise<unknown>
}

/**
 * The methods of every record. `J` is the result of `toJSON`.
 * @example
 * ```ts
 * import type { InstanceMethods } from '@modelwire/core'
 *
 * const idOf = (record: Pick<InstanceMethods<object>, 'getId'>) => record.getId()
 * const product = await app.models.Product.create({ name: 'Chair', price: 60 })
 * console.log(idOf(product)) // 3
 * ```
 */
export interface InstanceMethods<T, F extends ModelFacts = UnknownFacts, J = T> {
  isNewRecord(): boolean
  getId(): unknown
  /** Stores the record: creates it, or updates every property. */
  save(options?: object): Promise<Instance<T, F>>
  patchAttributes(data: Partial<T>, options?: object): Promise<Instance<T, F>>
  updateAttributes(data: Partial<T>, options?: object): Promise<Instance<T, F>>
  updateAttribute<K extends Name<T>>(name: K, value: T[K], options?: object): Promise<Instance<T, F>>
  replaceAttributes(data: NewRecord<T, F>, options?: object): Promise<Instance<T, F>>
  destroy(options?: object): Promise<{ count: number }>
  reload(options?: object): Promise<Instance<T, F> | null>
  setAttributes(data: Partial<T>): void
  /** Plain data as clients see it: without hidden properties, with included records. */
  toJSON(): J
  toObject(): J
}

/** The accessors of relations on records: `await order.customer()`, `order.lines.create(…)`. */
export type Accessors<R> = {
  readonly [K in Name<R>]: R[K] extends RelatedFacts
    ? R[K]['many'] extends true
      ? ToMany<R[K]['record'], R[K]['facts']>
      : ToOne<R[K]['record'], R[K]['facts']>
    : never
}

/**
 * A record of `T`: its properties, the accessors of its relations, and the methods of every record.
 * @example
 * ```ts
 * import type { Instance } from '@modelwire/core'
 *
 * const label = ({ name, price }: Instance<{ name: string; price: number }>) => `${name}: ${price.toFixed(2)}`
 * const product = await app.models.Product.findById(1)
 * if (product !== null) console.log(label(product)) // Lamp: 12.50
 * ```
 */
export type Instance<T, F extends ModelFacts = UnknownFacts> = WithId<T> &
  InstanceMethods<T, F> &
  Accessors<DeclaredRelations<F>> &
  F['methods']

type IncludedName<I> = I extends string
  ? I
  : I extends readonly (infer E)[]
    ? IncludedName<E>
    : I extends { readonly relation: infer N extends string }
      ? N
      : Name<I>

/** The nested includes of the part `I` of an include below the relation `N`. */
type Below<I, N extends string> = I extends string
  ? never
  : I extends readonly (infer E)[]
    ? Below<E, N>
    : I extends { readonly relation: infer M }
      ? M extends N
        ? I extends { readonly scope: { readonly include: infer J } }
          ? J
          : never
        : never
      : N extends keyof I
        ? I[N]
        : never

/** Related records as `toJSON` shows them. */
type Included<R, I> = {
  [N in IncludedName<I> & keyof R]: R[N] extends RelatedFacts
    ? R[N]['many'] extends true
      ? Shown<R[N], Below<I, N & string>>[]
      : Shown<R[N], Below<I, N & string>> | null
    : never
}

type Shown<R extends RelatedFacts, I> = WithId<R['record']> &
  ([I] extends [never] ? {} : Included<DeclaredRelations<R['facts']>, I>)

type Kept<T, P> = P extends readonly (infer N)[]
  ? Pick<T, Extract<N, keyof T>>
  : true extends P[keyof P]
    ? Pick<T, { [K in keyof P]: P[K] extends true ? K : never }[keyof P] & keyof T>
    : Omit<T, { [K in keyof P]: P[K] extends false ? K : never }[keyof P]>

type Read<T, P> = [P] extends [never] ? T : Kept<T, P>

/** A record that was read with `include` `I` and `fields` `P`. */
export type Found<T, F extends ModelFacts, I, P> = [I, P] extends [never, never]
  ? Instance<T, F>
  : Read<WithId<T>, P> &
      Omit<InstanceMethods<T, F>, 'toJSON' | 'toObject'> &
      Pick<
        InstanceMethods<T, F, Read<WithId<T>, P> & ([I] extends [never] ? {} : Included<DeclaredRelations<F>, I>)>,
        'toJSON' | 'toObject'
      > &
      Accessors<DeclaredRelations<F>> &
      F['methods']
