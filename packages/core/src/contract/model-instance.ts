import type { Readable } from 'node:stream'
import type { HookContext, Observer } from '../hooks/hook-table.ts'
import type { BareModel } from './bare-model.ts'
import type { ModelType } from './model-type.ts'

type Data = Record<string, unknown>
type Options = Record<string, unknown>

/** A record of any model: its properties, and the methods that all records have. `Model` is the class that has them. */
export interface ModelInstance extends BareModel {
  isNewRecord(): boolean
  getId(): unknown
  save(options?: Options): Promise<ModelInstance>
  patchAttributes(data: unknown, options?: Options): Promise<ModelInstance>
  replaceAttributes(data: unknown, options?: Options): Promise<ModelInstance>
  updateAttribute(name: string, value: unknown, options?: Options): Promise<ModelInstance>
  destroy(options?: Options): Promise<{ count: number }>
  reload(options?: Options): Promise<ModelInstance | null>
  setAttributes(data: Data): void
  toJSON(): Data
  toObject(): Data
}

/** The class of any model, as code meets it that knows no types of its records; `ModelClass` has them. */
export interface ModelConstructor {
  new (data?: Data, source?: unknown): ModelInstance
  readonly prototype: ModelInstance
  readonly name: string
  readonly modelType: ModelType
  readonly modelName: string
  find(filter?: unknown, options?: Options): Promise<ModelInstance[]>
  findOne(filter?: unknown, options?: Options): Promise<ModelInstance | null>
  findById(id: unknown, filter?: unknown, options?: Options): Promise<ModelInstance | null>
  count(where?: unknown, options?: Options): Promise<number>
  aggregate(request?: unknown, options?: Options): Promise<Data[]>
  exists(id: unknown, options?: Options): Promise<boolean>
  create(data?: unknown, options?: Options): Promise<unknown>
  findOrCreate(filter: unknown, data?: unknown, options?: Options): Promise<[ModelInstance, boolean]>
  patchOrCreate(data: unknown, options?: Options): Promise<unknown>
  replaceOrCreate(data: unknown, options?: Options): Promise<unknown>
  replaceById(id: unknown, data: unknown, options?: Options): Promise<ModelInstance>
  upsertWithWhere(where: unknown, data: unknown, options?: Options): Promise<ModelInstance>
  updateAll(where?: unknown, data?: unknown, options?: Options): Promise<{ count: number }>
  destroyAll(where?: unknown, options?: Options): Promise<{ count: number }>
  destroyById(id: unknown, options?: Options): Promise<{ count: number }>
  createChangeStream(options?: unknown): Promise<Readable>
  observe(name: string, observer: Observer): void
  removeObserver(name: string, observer: Observer): boolean
  clearObservers(name: string): void
  notifyObserversOf(name: string | readonly string[], context: HookContext): Promise<HookContext>
}
