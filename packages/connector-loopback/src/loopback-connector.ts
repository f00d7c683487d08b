import type {
  Collection,
  ConnectionWatcher,
  Connector,
  ConnectorCapabilities,
  ConnectorMethods,
  MigrateOptions,
  MigrationPlan,
  ModelType,
  OpenTransaction,
  Transaction
} from '@modelwire/core/connector'
import { capabilitiesOf } from './capabilities-of.ts'
import type { CollectionContext } from './collection/context.ts'
import { createCollection } from './collection/create-collection.ts'
import { createModelContext } from './collection/model-context.ts'
import { createSerialWork, type SerialWork } from './collection/serial-work.ts'
import { ConnectorInvalid } from './errors.ts'
import { callTimeoutOf, limitCall } from './juggler/call-limit.ts'
import { JugglerDataSource } from './juggler/data-source.ts'
import { type Driver, methodOf, partOf } from './juggler/driver.ts'
import { createModelFacade, type ModelFacade } from './juggler/model-facade.ts'
import { watchEvents } from './juggler/watch-events.ts'
import { callWithCallback } from './juggler/with-callback.ts'
import { makeDriver } from './make-driver.ts'
import { driverMethods } from './methods/driver-methods.ts'
import { isRemote, remoteAccess, remoteMethods, shareRemotely } from './methods/remote-models.ts'
import { migrateTables } from './migrate-tables.ts'
import { storedNames } from './rows/stored-names.ts'
import { scriptMembers } from './script-members.ts'
import { Transactions } from './transaction/transactions.ts'
import { translateError } from './translate-error.ts'

interface Attached {
  readonly model: ModelType
  readonly serial: SerialWork
  facade: ModelFacade | undefined
  storedNames: ReadonlySet<string> | undefined
  context: KeptContext | undefined
}

/** The context of a model's operations, as long as it has these properties. */
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

  /** Read by every operation: computed anew only once the connector is there, or connected. */
  get capabilities(): ConnectorCapabilities {
    return (this.#capabilities ??= capabilitiesOf(this.#dataSource.connector, (model) => this.#storedNames(model)))
  }

  /** LoopBack's connector itself: its driver, and methods such as `execute`. Undefined until the module has made it. */
  get scriptConnector(): unknown {
    return this.#dataSource.connector
  }

  /** What a data source of LoopBack has from its connector: events, what it discovers, and functions such as those of `rest`. */
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

  /** What the connector gives to a model: all of it only once the module has made the connector. */
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
  watch(watcher: ConnectionWatcher): void {
    watchEvents(this.#dataSource, watcher)
  }

  /** With `empty` has the connector make its tables anew, else bring them up to date. */
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

  /** A connection that failed is tried again by the next operation. */
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

  /** Defines a model at the connector, once. */
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
