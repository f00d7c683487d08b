import type { FilterInput, Where } from './filter-types.ts'
import type { Instance } from './instance-types.ts'
import type { IdArgument, ModelFacts, NewRecord, UnknownFacts, WithId } from '../definition/model-facts.ts'

type Options = object
type Counted = { count: number }

/** The helper of a relation to one record of `T`. What a kind cannot do is absent. */
export interface ToOne<T extends object, F extends ModelFacts = UnknownFacts> {
  /** The related record: the included one, else it is read. Null or undefined where there is none. */
  (refresh?: boolean, options?: Options): Promise<Instance<T, F> | null | undefined>
  get: (refresh?: boolean, options?: Options) => Promise<Instance<T, F> | null | undefined>
  build: (data?: Partial<NewRecord<T, F>>) => Instance<T, F>
  create: (data?: Partial<NewRecord<T, F>>, options?: Options) => Promise<Instance<T, F>>
  update: (data: Partial<T>, options?: Options) => Promise<Instance<T, F>>
  destroy: (options?: Options) => Promise<Counted>
}

/** The helper of a relation to several records of `T`. */
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
  /** Only through a third model and of referencesMany: joins an existing record. */
  add: (target: unknown, data?: object, options?: Options) => Promise<unknown>
  /** Only of lists that the record holds, embedded ones and referencesMany: the record at a place. */
  at: (index: number) => Promise<Instance<T, F> | null>
  /** Takes a record out without deleting it. */
  remove: (target: unknown, options?: Options) => Promise<unknown>
}
