import type { ChangeStream } from '../changes/change-stream.ts'
import type { Static, TObject } from '@sinclair/typebox'
import type { HookContext, HookName, Observer } from '../hooks/hook-table.ts'
import type { ModelType } from './model-type.ts'

/** Operators on one property of a `where`. Several hold together. */
export interface Operators<V> {
  eq?: V | null
  neq?: V | null
  gt?: V
  gte?: V
  lt?: V
  lte?: V
  between?: readonly [V, V]
  inq?: readonly (V | null)[]
  nin?: readonly (V | null)[]
  like?: string | RegExp
  nlike?: string | RegExp
  ilike?: string | RegExp
  nilike?: string | RegExp
  regexp?: string | RegExp
  near?: unknown
  maxDistance?: number
  minDistance?: number
  unit?: 'kilometers' | 'meters' | 'miles' | 'feet' | 'radians' | 'degrees'
}

type Item<V> = V extends readonly (infer I)[] ? I : V

/** Conditions on the records of `T`. Paths such as `'address.city'` reach into nested values. */
export type Where<T> = {
  [K in keyof T]?: NonNullable<T[K]> | null | Item<NonNullable<T[K]>> | Operators<Item<NonNullable<T[K]>>>
} & {
  and?: readonly Where<T>[]
  or?: readonly Where<T>[]
  nor?: readonly Where<T>[]
  [path: `${string}.${string}`]: unknown
}

type Name<T> = keyof T & string

/** What to read: all parts are optional. */
export interface FilterInput<T> {
  where?: Where<T>
  /** `'price DESC'`, or several; paths such as `'address.city'` reach into nested values. */
  order?: string | readonly string[]
  limit?: number
  skip?: number
  offset?: number
  /** Names to keep, or names with true or false. */
  fields?: readonly Name<T>[] | { [K in Name<T>]?: boolean }
  /** Relations to read along. */
  include?: unknown
}

type WithId<T> = 'id' extends keyof T ? T : T & { id: number }

/** Data of a new record: its id may be absent. */
export type NewRecord<T> = Omit<T, 'id'> & { id?: 'id' extends keyof T ? T['id'] : number | undefined }

/** What every record can do. */
export interface InstanceMethods<T> {
  isNewRecord(): boolean
  getId(): unknown
  /** Stores the record: creates it, or updates every property. */
  save(options?: object): Promise<Instance<T>>
  patchAttributes(data: Partial<T>, options?: object): Promise<Instance<T>>
  updateAttributes(data: Partial<T>, options?: object): Promise<Instance<T>>
  updateAttribute<K extends Name<T>>(name: K, value: T[K], options?: object): Promise<Instance<T>>
  replaceAttributes(data: NewRecord<T>, options?: object): Promise<Instance<T>>
  destroy(options?: object): Promise<{ count: number }>
  reload(options?: object): Promise<Instance<T> | null>
  setAttributes(data: Partial<T>): void
  toJSON(): T
  toObject(): T
}

/** A record of `T`: its properties and what every record can do. */
export type Instance<T> = WithId<T> & InstanceMethods<T>

/** A record, or changes of one, that nobody validated yet: anything may be missing. */
export type Draft<T> = { [K in keyof WithId<T>]?: WithId<T>[K] | undefined }

/** What an observer of a hook is given of a model's records: `HookContext` with their types. */
export interface ModelHookContext<T extends object, N extends HookName = HookName> {
  readonly Model: ModelClass<T>
  readonly hookState: Record<string, unknown>
  readonly options: Record<string, unknown>
  query?: FilterInput<WithId<T>>
  where?: Where<WithId<T>>
  data?: Draft<T>
  instance?: N extends 'before save' ? Draft<T> & InstanceMethods<T> : Instance<T>
  currentInstance?: Instance<T>
  isNewInstance?: boolean
  info?: { count: number }
}

/** Runs at a hook of a model of `T`. */
export type ModelObserver<T extends object, N extends HookName = HookName> = (
  context: ModelHookContext<T, N>
) => unknown

/** The class of a model: reads and writes records, and makes instances. */
export interface ModelClass<T extends object = Record<string, unknown>> {
  new (data?: Partial<T>, source?: unknown): Instance<T>
  readonly modelName: string
  readonly modelType: ModelType
  find(filter?: FilterInput<WithId<T>>, options?: object): Promise<Instance<T>[]>
  findOne(filter?: FilterInput<WithId<T>>, options?: object): Promise<Instance<T> | null>
  findById(
    id: unknown,
    filter?: Pick<FilterInput<WithId<T>>, 'fields' | 'include'>,
    options?: object
  ): Promise<Instance<T> | null>
  count(where?: Where<WithId<T>>, options?: object): Promise<number>
  exists(id: unknown, options?: object): Promise<boolean>
  create(data: readonly NewRecord<T>[], options?: object): Promise<Instance<T>[]>
  create(data?: NewRecord<T>, options?: object): Promise<Instance<T>>
  /** The first match, or a new record; true when it was created. */
  findOrCreate(filter: FilterInput<WithId<T>>, data: NewRecord<T>, options?: object): Promise<[Instance<T>, boolean]>
  /** Updates the record with the data's id in part, or creates one. */
  patchOrCreate(data: Partial<WithId<T>>, options?: object): Promise<Instance<T>>
  upsert(data: Partial<WithId<T>>, options?: object): Promise<Instance<T>>
  updateOrCreate(data: Partial<WithId<T>>, options?: object): Promise<Instance<T>>
  replaceOrCreate(data: NewRecord<T>, options?: object): Promise<Instance<T>>
  replaceById(id: unknown, data: NewRecord<T>, options?: object): Promise<Instance<T>>
  upsertWithWhere(where: Where<WithId<T>>, data: Partial<T>, options?: object): Promise<Instance<T>>
  /** With the data alone all records change. */
  updateAll(data: Partial<T>): Promise<{ count: number }>
  updateAll(where: Where<WithId<T>>, data: Partial<T>, options?: object): Promise<{ count: number }>
  update(where: Where<WithId<T>>, data: Partial<T>, options?: object): Promise<{ count: number }>
  destroyAll(where?: Where<WithId<T>>, options?: object): Promise<{ count: number }>
  destroyById(id: unknown, options?: object): Promise<{ count: number }>
  deleteById(id: unknown, options?: object): Promise<{ count: number }>
  /** Follows changes, also of models that extend this one: `ChangeEvent`s. Destroy the stream when you are done. */
  createChangeStream(options?: {
    where?: Where<WithId<T>>
    fields?: FilterInput<WithId<T>>['fields']
    models?: readonly string[]
  }): Promise<ChangeStream>
  observe<N extends HookName>(name: N, observer: ModelObserver<T, N>): void
  observe(name: string, observer: Observer): void
  removeObserver<N extends HookName>(name: N, observer: ModelObserver<T, N>): boolean
  removeObserver(name: string, observer: Observer): boolean
  clearObservers(name: string): void
  notifyObserversOf(name: string | readonly string[], context: HookContext): Promise<HookContext>
}

/** The class of the model that a TypeBox object describes. */
export type ModelOf<S extends TObject> = ModelClass<Static<S>>
