import type { Readable } from 'node:stream'
import { callOf, serverCall } from './access/call.ts'
import { openChangeStream } from './changes/change-stream.ts'
import { buildInstance, copyRow, stored } from './model/build-instance.ts'
import { BareModel, stateOf, typeOf, type UpdateArguments } from './contract/model-instance.ts'
import { plainCopy } from './model/plain-copy.ts'
import * as repository from './repository/index.ts'
import { type HookContext, type Observer, refuseMisspeltHook } from './hooks/hook-table.ts'

type Data = Record<string, unknown>
type Options = Record<string, unknown>

/**
 * The root of all models. An instance holds its record's properties as own properties; everything else is on the
 * prototype or private, so that `JSON.stringify`, spreading and `Object.keys` only see the record.
 *
 * `defineModel` and the registry create a subclass per model; there is no reason to extend this class by hand.
 * @example
 * ```ts
 * import { Model } from '@modelwire/core'
 *
 * const product = await app.models.Product.findById(1)
 * console.log(product instanceof Model, JSON.stringify(product)) // true {"name":"Lamp","price":12.5,"stock":3,"id":1}
 * ```
 */
export class Model extends BareModel {
  /** Builds a record that is not stored: converts values, fills in defaults. */
  constructor(data?: Data, source?: unknown) {
    super()
    const state = stateOf(this)
    state.persisted = source === stored
    if (state.persisted) copyRow(this, data ?? {})
    else buildInstance(state.type, this, data ?? {})
  }

  static find(filter?: unknown, options?: Options): Promise<Model[]> {
    return repository.find(this.modelType, filter, callOf(options))
  }
  static findOne(filter?: unknown, options?: Options): Promise<Model | null> {
    return repository.findOne(this.modelType, filter, callOf(options))
  }
  static findById(id: unknown, filter?: unknown, options?: Options): Promise<Model | null> {
    return repository.findById(this.modelType, id, filter, callOf(options))
  }
  static async count(where?: unknown, options?: Options): Promise<number> {
    return repository.count(this.modelType, where, callOf(options))
  }
  static async aggregate(request?: unknown, options?: Options): Promise<Data[]> {
    return repository.aggregate(this.modelType, request, callOf(options))
  }
  static exists(id: unknown, options?: Options): Promise<boolean> {
    return repository.exists(this.modelType, id, callOf(options))
  }
  static create(data?: unknown, options?: Options): Promise<unknown> {
    return Array.isArray(data)
      ? repository.createAll(this.modelType, data, callOf(options))
      : repository.create(this.modelType, data, callOf(options))
  }
  static findOrCreate(filter: unknown, data?: unknown, options?: Options): Promise<[Model, boolean]> {
    return repository.findOrCreate(this.modelType, filter, data, callOf(options))
  }
  static patchOrCreate(data: unknown, options?: Options): Promise<unknown> {
    return repository.patchOrCreate(this.modelType, data, callOf(options))
  }
  static replaceOrCreate(data: unknown, options?: Options): Promise<unknown> {
    return repository.replaceOrCreate(this.modelType, data, callOf(options))
  }
  static replaceById(id: unknown, data: unknown, options?: Options): Promise<Model> {
    return repository.replaceById(this.modelType, id, data, callOf(options))
  }
  static upsertWithWhere(where: unknown, data: unknown, options?: Options): Promise<Model> {
    return repository.upsertWithWhere(this.modelType, where, data, callOf(options))
  }
  static updateAll(...args: UpdateArguments): Promise<{ count: number }> {
    const [where, data, options] = args.length < 2 ? [undefined, args[0]] : args
    return repository.updateAll(this.modelType, where, data, callOf(options))
  }
  static destroyAll(where?: unknown, options?: Options): Promise<{ count: number }> {
    return repository.destroyAll(this.modelType, where, callOf(options))
  }
  static destroyById(id: unknown, options?: Options): Promise<{ count: number }> {
    return repository.destroyById(this.modelType, id, callOf(options))
  }

  /**
   * Opens a stream of changes: `ChangeEvent`s as they happen. Destroy it when it is no longer needed.
   * @param options `where`: only changes that leave a record matching it; `fields`: what JSON shows of records
   * @throws {InvalidFilter} (in the promise) a part of `options` is malformed
   */
  static async createChangeStream(options?: unknown): Promise<Readable> {
    return openChangeStream(this.modelType, options, serverCall())
  }

  /**
   * Runs `observer` at an operation hook of this model and the models that extend it, or at a custom event.
   * @throws {InvalidOption} the name seems to mean a hook, or `observer` is not a function
   */
  static observe(name: string, observer: Observer): void {
    if (!this.modelType.registry.rules.allowsUnknownNames) refuseMisspeltHook(name)
    this.modelType.hooks.observe(name, observer)
  }
  static removeObserver(name: string, observer: Observer): boolean {
    return this.modelType.hooks.remove(name, observer)
  }
  static clearObservers(name: string): void {
    this.modelType.hooks.clear(name)
  }
  static async notifyObserversOf(name: string | readonly string[], context: HookContext): Promise<HookContext> {
    for (const one of [name].flat()) await this.modelType.hooks.notify(one, context)
    return context
  }

  isNewRecord(): boolean {
    return !stateOf(this).persisted
  }
  getId(): unknown {
    return repository.idOf(typeOf(this), this)
  }
  save(options?: Options): Promise<Model> {
    return repository.save(typeOf(this), this, callOf(options))
  }
  patchAttributes(data: unknown, options?: Options): Promise<Model> {
    return repository.patchInstance(typeOf(this), this, data, callOf(options))
  }
  replaceAttributes(data: unknown, options?: Options): Promise<Model> {
    return repository.replaceInstance(typeOf(this), this, data, callOf(options))
  }
  updateAttribute(name: string, value: unknown, options?: Options): Promise<Model> {
    return repository.patchInstance(typeOf(this), this, { [name]: value }, callOf(options))
  }
  async destroy(options?: Options): Promise<{ count: number }> {
    return repository.destroyById(typeOf(this), repository.storedIdOf(typeOf(this), this), callOf(options), this)
  }
  reload(options?: Options): Promise<Model | null> {
    return repository.findById(typeOf(this), repository.storedIdOf(typeOf(this), this), undefined, callOf(options))
  }
  /** Sets several properties, converted to their types. */
  setAttributes(data: Data): void {
    repository.assign(typeOf(this), this, data)
  }
  /** The record as plain data, without hidden properties, with related records. */
  toJSON(): Data {
    return plainCopy(typeOf(this), this, { hidesHidden: true })
  }
  /** The record as plain data, with hidden properties. */
  toObject(): Data {
    return plainCopy(typeOf(this), this, { hidesHidden: false })
  }
}

// Other names for the same methods, as LoopBack has them.
const staticAliases: Readonly<Record<string, string>> = {
  upsert: 'patchOrCreate',
  updateOrCreate: 'patchOrCreate',
  patchOrCreateWithWhere: 'upsertWithWhere',
  update: 'updateAll',
  remove: 'destroyAll',
  deleteAll: 'destroyAll',
  deleteById: 'destroyById',
  removeById: 'destroyById'
}
const instanceAliases: Readonly<Record<string, string>> = {
  updateAttributes: 'patchAttributes',
  delete: 'destroy',
  remove: 'destroy'
}
type Method = (...args: unknown[]) => unknown

/** Where a call of an alias finds its method: above what replaced the alias itself, which then calls what it replaced. */
function placeOf(target: typeof Model | Model, alias: string): object {
  let place: object = target
  const isClass = typeof target === 'function'
  const { rootClass } = (isClass ? target.modelType : typeOf(target)).registry
  const root: object = isClass ? rootClass : rootClass.prototype
  // A prototype is an object or null.
  const above = (at: object): object => (Object.getPrototypeOf(at) as object | null) ?? root
  for (let at: object = target; at !== root; at = above(at)) if (Object.hasOwn(at, alias)) place = above(at)
  return place
}

/** Adds methods that call another one of the same object, so that a subclass that overrides it is obeyed. */
function addAliases(target: object, aliases: Readonly<Record<string, string>>): void {
  for (const [alias, name] of Object.entries(aliases)) {
    const value = function (this: typeof Model | Model, ...args: unknown[]): unknown {
      const method: unknown = Reflect.get(placeOf(this, alias), name, this)
      return (method as Method).apply(this, args) // LoopBack's methods, which may be replaced by others
    }
    Object.defineProperty(target, alias, { value, writable: true, configurable: true })
  }
}
addAliases(Model, staticAliases)
addAliases(Model.prototype, instanceAliases)
