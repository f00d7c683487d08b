import type {
  Collection,
  Connector,
  ConnectorCapabilities,
  ConnectorMethods,
  MigrateOptions,
  MigrationPlan,
  ModelType,
  OpenTransaction,
  Transaction
} from '@modelwire/core/connector'
import { capabilitiesOf, watchEvents } from './make-driver.ts'
import type { CollectionContext } from './collection/context.ts'
import { createCollection, storedNames } from './collection/create-collection.ts'
import { createModelContext } from './collection/model-context.ts'
import { createSerialWork, type SerialWork } from './collection/serial-work.ts'
import { ConnectorInvalid } from './errors.ts'
import {
  callTimeoutOf,
  limitCall,
  type Driver,
  methodOf,
  partOf,
  type AnyFunction,
  isFunction,
  isObject
} from './juggler/driver.ts'
import { JugglerDataSource } from './juggler/data-source.ts'
import { createModelFacade, type ModelFacade } from './juggler/model-facade.ts'
import { callWithCallback, type Results } from './juggler/with-callback.ts'
import { driverMethods } from './methods/driver-methods.ts'
import { isRemote, remoteAccess, remoteMethods, shareRemotely } from './methods/remote-models.ts'
import { Transactions } from './transaction/transactions.ts'
import { translateError } from './translate-error.ts'
import { NotImplemented } from '@modelwire/core'

const events = [
  'on',
  'once',
  'off',
  'emit',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'listeners'
] as const

const discoveries = [
  'discoverModelDefinitions',
  'discoverModelProperties',
  'discoverPrimaryKeys',
  'discoverForeignKeys',
  'discoverExportedForeignKeys'
] as const

const bound =
  (self: object, fn: unknown): AnyFunction =>
  (...args) =>
    isFunction(fn) ? fn.apply(self, args) : undefined

const firstOf = async (results: Promise<unknown>): Promise<unknown> => partOf(await results, '0')

/** The creation of a connector: the promise may settle long after the connector exists. */
interface Making {
  readonly done: Promise<void>
}

interface Attached {
  readonly model: ModelType
  readonly serial: SerialWork
  facade: ModelFacade | undefined
  storedNames: ReadonlySet<string> | undefined
  context: KeptContext | undefined
}

/** The context of a model's operations, valid while its properties are unchanged. */
interface KeptContext {
  readonly properties: ModelType['properties']
  readonly context: CollectionContext
}

/** A connector written for LoopBack 3, as a connector of Modelwire. */
export class LoopbackConnector implements Connector {
  readonly name: string
  readonly #dataSource: JugglerDataSource
  readonly #attached = new Map<ModelType, Attached>()
  readonly #transactions: Transactions
  readonly #callTimeout: number
  readonly #made: Promise<PromiseSettledResult<void>[]>
  #capabilities: ConnectorCapabilities | undefined

  /**
   * @param module what the connector's module exports
   * @throws {ConnectorInvalid} it is not a connector
   */
  constructor(module: unknown, name: string, settings: Record<string, unknown>) {
    this.#dataSource = new JugglerDataSource(name, settings)
    this.#callTimeout = callTimeoutOf(settings)
    // What the connector gives to its models may be there only then.
    for (const event of ['initialized', 'connected']) this.#dataSource.on(event, () => (this.#capabilities = undefined))
    this.#made = Promise.allSettled([limitCall(makeDriver(module, this.#dataSource).done, this.#callTimeout)])
    this.name = String(partOf(this.#dataSource.connector, 'name') ?? name)
    this.#transactions = new Transactions(
      () => this.#driver(),
      (error) => this.#translate(error)
    )
  }

  /** Read by every operation: only recomputed once the connector exists, or is connected. */
  get capabilities(): ConnectorCapabilities {
    return (this.#capabilities ??= capabilitiesOf(this.#dataSource.connector, (model) => this.#storedNames(model)))
  }

  /** LoopBack's connector itself: its driver, and methods such as `execute`. Undefined until the module has created it. */
  get scriptConnector(): unknown {
    return this.#dataSource.connector
  }

  /**
   * The members that a LoopBack data source gets from its connector: events, discovery, and functions such as those of
   * `rest`.
   */
  get scriptMembers(): Readonly<Record<string, unknown>> {
    return scriptMembers(this.#dataSource)
  }

  collection(model: ModelType): Collection {
    const serial = createSerialWork(this.#callTimeout)
    const attached: Attached = { model, serial, facade: undefined, storedNames: undefined, context: undefined }
    this.#attached.set(model, attached)
    if (this.#dataSource.connector !== undefined) this.#introduce(attached)
    return createCollection(async () => {
      await this.#connected()
      return this.#contextOf(attached)
    })
  }

  /** The methods that the connector adds to a model: complete only once the module has created the connector. */
  methods(model: ModelType): ConnectorMethods {
    const driver = this.#dataSource.connector
    const attached = this.#attached.get(model)
    if (driver === undefined || attached === undefined) return {}
    const facade = this.#introduce(attached)
    return isRemote(driver) ? remoteMethods(driver, model, facade) : driverMethods(driver, model, facade)
  }

  /**
   * Waits until the database is connected, unless `lazyConnect` is set.
   * @throws {DataSourceUnavailable} it is not
   * @throws {ConnectorInvalid} the module made no connector
   */
  async connect(): Promise<void> {
    if (this.#dataSource.settings['lazyConnect'] !== true) await this.#connected()
    else await this.#made
    for (const attached of this.#attached.values()) this.#introduce(attached)
  }

  async disconnect(): Promise<void> {
    await this.#made
    const driver = this.#dataSource.connector
    const disconnect = methodOf(driver, 'disconnect')
    this.#dataSource.connected = false
    if (disconnect === undefined) return
    await this.#translated(() => limitCall(callWithCallback(disconnect, driver, []), this.#callTimeout))
  }

  async ping(): Promise<void> {
    await this.#connected()
    const driver = this.#driver()
    const ping = methodOf(driver, 'ping')
    if (ping === undefined) return
    await this.#translated(() => limitCall(callWithCallback(ping, driver, []), this.#callTimeout))
  }

  /** Reports events of the connector outside of calls. */
  watch(watcher: Parameters<typeof watchEvents>[1]): void {
    watchEvents(this.#dataSource, watcher)
  }

  /** With `empty`, lets the connector recreate its tables; otherwise updates them. */
  async migrate(models: readonly ModelType[], { empty }: MigrateOptions): Promise<MigrationPlan> {
    await this.#connected()
    await this.#translated(() => migrateTables(this.#driver(), models, empty))
    return { steps: [], notes: [] }
  }

  /** Runs `work` in one transaction of the database. @throws {NotImplemented} the connector has none */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: { isolation?: string } = {}
  ): Promise<T> {
    await this.#connected()
    return this.#transactions.run(work, options)
  }

  /** Begins a transaction that its caller ends. @throws {NotImplemented} the connector has none */
  async beginTransaction(options: { isolation?: string } = {}): Promise<OpenTransaction> {
    await this.#connected()
    return this.#transactions.begin(options)
  }

  #storedNames(model: ModelType): ReadonlySet<string> {
    const attached = this.#attached.get(model)
    const driver = this.#dataSource.connector
    if (attached === undefined || driver === undefined) return new Set()
    return (attached.storedNames ??= storedNames(driver, model))
  }

  get #hasTransactions(): boolean {
    return methodOf(this.#dataSource.connector, 'beginTransaction') !== undefined
  }

  /** Connects; after a failure, the next operation retries. */
  async #connected(): Promise<void> {
    const [made] = await this.#made
    if (this.#dataSource.connected) return
    if (this.#dataSource.connector === undefined && made?.status === 'rejected') throw this.#translate(made.reason)
    await this.#translated(async () => this.#dataSource.connect())
  }

  #driver(): Driver {
    const driver = this.#dataSource.connector
    if (driver !== undefined) return driver
    throw new ConnectorInvalid('the connector has not been created yet', { key: this.#dataSource.name })
  }

  /** Defines a model on the connector, once. */
  #introduce(attached: Attached): ModelFacade {
    return (attached.facade ??= this.#define(this.#driver(), attached.model))
  }

  #define(driver: Driver, model: ModelType): ModelFacade {
    const facade = createModelFacade(model, this.#dataSource)
    this.#dataSource.models[model.name] = facade
    this.#dataSource.definitions[model.name] = facade.definition
    if (isRemote(driver)) shareRemotely(driver, model, facade)
    const { settings, definition } = facade
    methodOf(driver, 'define')?.call(driver, { model: facade, properties: definition.properties, settings })
    return facade
  }

  #contextOf(attached: Attached): CollectionContext {
    const { model } = attached
    const { properties } = model
    if (attached.context?.properties !== properties)
      attached.context = { properties, context: this.#makeContext(attached) }
    return attached.context.context
  }

  #makeContext(attached: Attached): CollectionContext {
    this.#introduce(attached)
    const own = this.#driver()
    return createModelContext({
      model: attached.model,
      driver: isRemote(own) ? remoteAccess((name) => this.#dataSource.models[name]) : own,
      transactions: this.#hasTransactions ? this.#transactions : undefined,
      serial: attached.serial,
      likeAnywhere: this.#dataSource.settings['like'] === 'part'
    })
  }

  async #translated<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw this.#translate(error)
    }
  }

  #translate(error: unknown): unknown {
    return translateError(error, { connector: this.name })
  }
}

/**
 * Makes the connector of a data source from its module, as LoopBack does: `initialize(dataSource, callback)`, or a constructor of
 * settings. Most modules have made it when this returns, and connect afterwards.
 * @throws {ConnectorInvalid} the module is none
 */
function makeDriver(module: unknown, dataSource: JugglerDataSource): Making {
  const initialize = methodOf(module, 'initialize') ?? methodOf(partOf(module, 'default'), 'initialize')
  if (initialize !== undefined) {
    const calling = callWithCallback(initialize, module, [dataSource])
    dataSource.adopt()
    return { done: initialized(dataSource, calling) }
  }
  const Constructor = [module, partOf(module, 'default')].find(isFunction)
  if (Constructor === undefined)
    throw new ConnectorInvalid(
      'the module is not a LoopBack connector: it exports neither initialize nor a constructor'
    )
  dataSource.connector = construct(Constructor, dataSource.settings)
  dataSource.adopt()
  return { done: initialized(dataSource, Promise.resolve([])) }
}

function construct(Constructor: AnyFunction, settings: Record<string, unknown>): Driver {
  const made: unknown = Reflect.construct(Constructor, [settings])
  if (isObject(made)) return made
  throw new ConnectorInvalid("the connector's constructor did not create an object")
}

/** LB3: a result of false means that the connection is made later. */
async function initialized(dataSource: JugglerDataSource, calling: Promise<Results>): Promise<void> {
  const [result] = await calling
  if (dataSource.adopt() === undefined)
    throw new ConnectorInvalid(
      'the module is not a LoopBack connector: initialize did not set a connector on the data source',
      { key: dataSource.name }
    )
  dataSource.initialized = true
  dataSource.connecting = false
  dataSource.emit('initialized')
  if (dataSource.settings['lazyConnect'] === true || result === false || dataSource.connected) return
  dataSource.connected = true
  dataSource.emit('connected')
}

/**
 * Has a connector make the tables of models anew, or bring them up to date: its own way of doing so, which may drop columns that
 * no model has.
 * @throws {NotImplemented} it has no such way, and its records would have to be removed
 */
async function migrateTables(driver: Driver, models: readonly ModelType[], empty: boolean): Promise<void> {
  const migrate = methodOf(driver, empty ? 'automigrate' : 'autoupdate')
  if (migrate !== undefined) await callWithCallback(migrate, driver, [models.map(({ name }) => name)])
  else if (empty) throw new NotImplemented('the connector has no automigrate')
}

/** What scripts find on a data source of a LoopBack connector, beside what every data source has. */
function scriptMembers(dataSource: JugglerDataSource): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const name of events) members[name] = bound(dataSource, dataSource[name])
  for (const name of discoveries) if (methodOf(dataSource.connector, name)) members[name] = discovery(dataSource, name)
  for (const [name, value] of Object.entries(dataSource))
    if (isFunction(value)) members[name] = bound(dataSource, value)
  return members
}

/** With a callback as its last argument, as the connector takes it, or a promise. */
function discovery({ connector }: JugglerDataSource, name: string): AnyFunction {
  return (...args) => {
    const fn = methodOf(connector, name)
    if (fn === undefined || isFunction(args.at(-1))) return fn?.apply(connector, args)
    return firstOf(callWithCallback(fn, connector, args))
  }
}
