import { EventEmitter } from 'node:events'
import {
  callTimeoutOf,
  limitCall,
  type AnyFunction,
  type Driver,
  functionsOf,
  isFunction,
  isObject,
  methodOf,
  partOf,
  keyValueAccess,
  dataAccessNames
} from './driver.ts'
import type { ModelFacade } from './model-facade.ts'
import { Observers } from './observers.ts'
import { answer, callWithCallback } from './with-callback.ts'

const defaultMaxOfflineRequests = 16

/**
 * The object that is passed to a connector's `initialize`, as far as connectors use it: settings, events, model
 * definitions, and whether the database is connected. It is not a data source of loopback-datasource-juggler, which is not
 * loaded.
 * @see LoopBack 3, loopback-datasource-juggler, lib/datasource.js
 */
export class JugglerDataSource extends EventEmitter {
  /** Functions that connectors copy if their models should have data access. */
  static readonly DataAccessObject: AnyFunction = Object.assign(function DataAccessObject() {}, dataAccessNames)
  readonly name: string
  readonly settings: Record<string, unknown>
  /** What connectors use of LoopBack's package. */
  readonly juggler = { KeyValueAccessObject: keyValueAccess, DataSource: JugglerDataSource }
  readonly models: Record<string, ModelFacade> = {}
  readonly definitions: Record<string, unknown> = {}
  readonly modelBuilder = { models: this.models, definitions: this.definitions }
  readonly #operations: Record<string, unknown> = {}
  /** Where a connector stores functions that it only knows once connected. */
  DataAccessObject: unknown
  connector: Driver | undefined
  adapter: Driver | undefined
  connected = false
  connecting = false
  initialized = false
  #connecting: Promise<void> | undefined

  constructor(name: string, settings: Record<string, unknown>) {
    super()
    this.name = name
    this.settings = settings
    this.setMaxListeners(this.getMaxOfflineRequests())
    // An event `error` without a listener would end the process; operations and the start reject with the error.
    this.on('error', () => {})
  }

  getMaxOfflineRequests(): number {
    const wanted = this.settings['maxOfflineRequests']
    return typeof wanted === 'number' ? wanted : defaultMaxOfflineRequests
  }

  /** Adds to the connector what LoopBack adds to every one, once it exists. */
  adopt(): Driver | undefined {
    const driver = this.connector ?? this.adapter
    this.connector = driver
    this.adapter = driver
    if (driver === undefined || prepared.has(driver)) return driver
    prepared.add(driver)
    const log = (...args: unknown[]): void => this.log(...args)
    if (Reflect.get(driver, 'dataSource') === undefined) Reflect.set(driver, 'dataSource', this)
    Reflect.set(driver, 'log', log)
    Reflect.set(driver, 'logger', (query: unknown) => (more: unknown) => log(more ?? query, Date.now()))
    new Observers().mixInto(driver)
    return driver
  }

  /** Connects, unless it is connected. With a callback it returns nothing. */
  connect(callback?: unknown): Promise<void> | undefined {
    const work = this.#connectOnce()
    if (!isFunction(callback)) return work
    void answer(callback, emptyListOf(work))
    return undefined
  }

  async #connectOnce(): Promise<void> {
    if (this.connected) return
    this.#connecting ??= this.#open()
    try {
      await this.#connecting
    } finally {
      this.#connecting = undefined
    }
  }

  async #open(): Promise<void> {
    const connect = methodOf(this.connector, 'connect')
    this.connecting = true
    try {
      if (connect !== undefined)
        await limitCall(callWithCallback(connect, this.connector, []), callTimeoutOf(this.settings))
      this.connected = true
      this.emit('connected')
    } catch (error) {
      this.emit('error', error)
      throw error
    } finally {
      this.connecting = false
    }
  }

  /** Emits a line that a connector logs as `log`. */
  log(...args: unknown[]): void {
    this.emit('log', ...args)
  }

  getModel(name: string): ModelFacade | undefined {
    return this.models[name]
  }

  getModelDefinition(name: string): ModelFacade['definition'] | undefined {
    return this.models[name]?.definition
  }

  idName(model: string): string | undefined {
    return this.models[model]?.definition.idName()
  }

  idNames(model: string): readonly string[] {
    return this.models[model]?.definition.idNames() ?? []
  }

  idProperty(model: string): unknown {
    return this.models[model]?.definition.ids()[0]?.property
  }

  tableName(model: string): string {
    return model
  }

  columnName(model: string, property: string): unknown {
    return this.models[model]?.definition.columnName(String(Reflect.get(this.connector ?? {}, 'name')), property)
  }

  isRelational(): boolean {
    return isObject(this.connector) && Reflect.get(this.connector, 'relational') === true
  }

  getTypes(): unknown {
    return methodOf(this.connector, 'getTypes')?.call(this.connector) ?? []
  }

  supportTypes(types: unknown): boolean {
    const own = this.getTypes()
    const wanted: readonly unknown[] = Array.isArray(types) ? types : [types]
    return Array.isArray(own) && wanted.every((type) => own.includes(type))
  }

  /**
   * Updates the connector's functions on a model: connectors that only know them once connected call it for models defined
   * before.
   */
  mixin(model: unknown): void {
    if (!isObject(model)) return
    for (const [name, value] of functionsOf(this.DataAccessObject ?? partOf(this.connector, 'DataAccessObject')))
      Object.defineProperty(model, name, { value, configurable: true, writable: true })
  }

  operations(): Record<string, unknown> {
    return this.#operations
  }

  defineOperation(name: string, options: Record<string, unknown>, fn: unknown): void {
    this.#operations[name] = { ...options, fn }
  }
}

const prepared = new WeakSet<Driver>()

async function emptyListOf(work: Promise<void>): Promise<readonly unknown[]> {
  await work
  return []
}
