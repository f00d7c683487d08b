import type { Readable } from 'node:stream'
import type { HookContext, Observer } from '../hooks/hook-table.ts'
import type { ModelType } from './model-type.ts'
import type { Unusable } from '../values/unusable.ts'

type Data = Record<string, unknown>
type Options = Record<string, unknown>

/** Data alone changes all records. */
export type UpdateArguments = [data?: unknown] | [where: unknown, data: unknown, options?: Options]

/** A record of any model: its properties, and the methods of all records. `Model` is the class with these methods. */
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

/** The class of any model, for code without types of its records; `ModelClass` has them. */
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
  updateAll(...args: UpdateArguments): Promise<{ count: number }>
  destroyAll(where?: unknown, options?: Options): Promise<{ count: number }>
  destroyById(id: unknown, options?: Options): Promise<{ count: number }>
  createChangeStream(options?: unknown): Promise<Readable>
  observe(name: string, observer: Observer): void
  removeObserver(name: string, observer: Observer): boolean
  clearObservers(name: string): void
  notifyObserversOf(name: string | readonly string[], context: HookContext): Promise<HookContext>
}

/** The state of a record in addition to its properties. */
export interface InstanceState {
  readonly type: ModelType
  /** It is stored. */
  persisted: boolean
  /** As it is stored, where other records may have its id: code changes the instance's own values before it writes them. */
  loaded?: Readonly<Data>
  /** Its id was chosen by code, which `forceId` does not refuse. */
  hasOwnId?: boolean
  /** Names that a strict model does not declare. */
  undeclared?: string[]
  /** Values that could not be converted to their declared type. */
  unusable?: Map<string, Unusable>
  /** Names of the properties that a client may see; undefined: all that are not hidden. */
  readable?: ReadonlySet<string>
  /** Related records by relation name. */
  related?: Record<string, unknown>
}

let readState: (instance: BareModel) => InstanceState

/**
 * The base of every record, without methods for reading and writing: its properties and a hidden state. `Model` adds the
 * methods; data access itself only needs this, so it does not import them.
 */
export class BareModel {
  /** The compiled model, set on every subclass that the registry creates. */
  declare static readonly modelType: ModelType
  declare static readonly modelName: string;
  [property: string]: unknown

  readonly #state: InstanceState
  static {
    readState = (instance: BareModel): InstanceState => instance.#state
  }

  constructor() {
    this.#state = { type: new.target.modelType, persisted: false }
  }
}

/** The hidden state of a record. */
export function stateOf(instance: BareModel): InstanceState {
  return readState(instance)
}

/** The compiled model of a record. */
export function typeOf(instance: BareModel): ModelType {
  return readState(instance).type
}
