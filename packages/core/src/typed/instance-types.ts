import type { ToMany, ToOne } from './accessor-types.ts'
import type {
  DeclaredRelations,
  ModelFacts,
  Name,
  NewRecord,
  RelatedFacts,
  UnknownFacts,
  WithId
} from '../definition/model-facts.ts'

/** What every record can do. `J` is what `toJSON` gives. */
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
  /** Plain data as clients see it: hidden properties are left out, included records are there. */
  toJSON(): J
  toObject(): J
}

/** The helpers of relations on records: `await order.customer()`, `order.lines.create(…)`. */
export type Accessors<R> = {
  readonly [K in Name<R>]: R[K] extends RelatedFacts
    ? R[K]['many'] extends true
      ? ToMany<R[K]['record'], R[K]['facts']>
      : ToOne<R[K]['record'], R[K]['facts']>
    : never
}

/** A record of `T`: its properties, the helpers of its relations, and what every record can do. */
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

/** What the part `I` of an include reads along below the relation `N`. */
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
