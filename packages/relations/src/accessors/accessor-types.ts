import type { FilterInput, Instance, NewRecord, Where } from '@modelwire/core'

type Options = object
type Counted = { count: number }

/** The helper of a relation to one record of `T`. What a kind cannot do is absent. */
export interface ToOne<T extends object> {
  /** The related record: the included one, else it is read. Null or undefined where there is none. */
  (refresh?: boolean, options?: Options): Promise<Instance<T> | null | undefined>
  get: (refresh?: boolean, options?: Options) => Promise<Instance<T> | null | undefined>
  build: (data?: Partial<NewRecord<T>>) => Instance<T>
  create: (data?: Partial<NewRecord<T>>, options?: Options) => Promise<Instance<T>>
  update: (data: Partial<T>, options?: Options) => Promise<Instance<T>>
  destroy: (options?: Options) => Promise<Counted>
}

/** The helper of a relation to several records of `T`. */
export interface ToMany<T extends object> {
  (filter?: FilterInput<T>, options?: Options): Promise<Instance<T>[]>
  find: (filter?: FilterInput<T>, options?: Options) => Promise<Instance<T>[]>
  findOne: (filter?: FilterInput<T>, options?: Options) => Promise<Instance<T> | null>
  findById: (id: unknown, options?: Options) => Promise<Instance<T>>
  exists: (id: unknown, options?: Options) => Promise<boolean>
  count: (where?: Where<T>, options?: Options) => Promise<number>
  build: (data?: Partial<NewRecord<T>>) => Instance<T>
  create: ((data: readonly Partial<NewRecord<T>>[], options?: Options) => Promise<Instance<T>[]>) &
    ((data?: Partial<NewRecord<T>>, options?: Options) => Promise<Instance<T>>)
  updateById: (id: unknown, data: Partial<T>, options?: Options) => Promise<Instance<T>>
  /** Removes one record by its id. */
  destroy: (id: unknown, options?: Options) => Promise<unknown>
  destroyAll: (where?: Where<T>, options?: Options) => Promise<Counted>
  /** Only of hasMany: changes all records that match. */
  update: (where: Where<T>, data: Partial<T>, options?: Options) => Promise<Counted>
  /** Only through a third model and of referencesMany: joins an existing record. */
  add: (target: unknown, data?: object, options?: Options) => Promise<unknown>
  /** Only of lists that the record holds, embedded ones and referencesMany: the record at a place. */
  at: (index: number) => Promise<Instance<T> | null>
  /** Takes a record out without deleting it. */
  remove: (target: unknown, options?: Options) => Promise<unknown>
}
