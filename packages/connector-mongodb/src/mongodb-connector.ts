import {
  allOperations,
  cancelPolicy,
  type Collection,
  type Connector,
  type ConnectorChangeLog,
  type ConnectorCapabilities,
  type DatabaseFact,
  type Discovery,
  type MigrateOptions,
  type MigrationPlan,
  type ModelType,
  type OpenTransaction,
  type PlanOptions,
  type Transaction,
  wideTexts
} from '@modelwire/core/connector'
import { InvalidOption } from '@modelwire/server'
import { MongodbChangeLog } from './change-log/mongodb-change-log.ts'
import { ChangeFollower } from './changes/follow-changes.ts'
import { OwnWrites } from './client/own-writes.ts'
import { Collations } from './client/collations.ts'
import { clientOptions } from './client/client-options.ts'
import { CommandActivity } from './client/command-activity.ts'
import { readLog } from './client/command-log.ts'
import { killSession } from './client/kill-session.ts'
import { MongoSession } from './client/mongo-session.ts'
import { openClient, serverAddress } from './client/server-address.ts'
import { createCollection, createMapOf } from './collection.ts'
import type { DocumentMap } from './document/document-map.ts'
import { createDiscovery } from './discover/create-discovery.ts'
import { planMigration, runMigration } from './migrate/run-migration.ts'
import { scriptConnector, scriptMembers } from './scripts/script-connector.ts'
import { allowsOperators } from './write/update-document.ts'
import type { ReadSettings } from './settings.ts'

/** A MongoDB database. */
export class MongodbConnector implements Connector {
  readonly name = 'mongodb'
  readonly capabilities: ConnectorCapabilities
  /** The connector for scripts: the driver's database and collections. */
  readonly scriptConnector: unknown
  readonly scriptMembers = scriptMembers
  readonly activity = new CommandActivity()
  readonly discovery: Discovery
  readonly #session: MongoSession
  readonly #isLazy: boolean
  readonly #collations: Collations
  readonly #mapOf: (model: ModelType) => DocumentMap
  readonly #models = new Map<string, ModelType>()
  readonly #follower: ChangeFollower | undefined
  readonly #logs: MongodbChangeLog[] = []
  /** LB3: `allowExtendedOperators` of the data source, or of a model. */
  #allowsOperators = false
  #hasReported = false

  /**
   * Creates the connector.
   * @param input all settings of the data source: the driver knows more of them
   */
  constructor(settings: ReadSettings, input: Readonly<Record<string, unknown>>) {
    const log = readLog(input)
    const [address, options] = [serverAddress(settings), clientOptions(settings, input)]
    const ownWrites = settings.changesOfOthers ? new OwnWrites() : undefined
    this.#session = new MongoSession({
      open: () => openClient(address, options, { log, activity: this.activity }),
      ownWrites,
      statementTimeout: settings.statementTimeout,
      kills: { policy: cancelPolicy(settings.cancelAfter), kill: (session) => killSession(address, options, session) }
    })
    this.#isLazy = settings.lazyConnect
    this.#collations = new Collations(this.#session)
    this.#mapOf = createMapOf(settings, this.#collations.isWide)
    this.#follower =
      ownWrites &&
      new ChangeFollower({
        session: this.#session,
        own: ownWrites,
        models: () => this.#models.values(),
        mapOf: this.#mapOf
      })
    this.capabilities = capabilitiesOf(this.#session, () => this.#allowsOperators)
    this.discovery = createDiscovery(this.#session)
    this.scriptConnector = scriptConnector({
      session: this.#session,
      settings: input,
      models: this.#models,
      mapOf: this.#mapOf
    })
  }

  collection(model: ModelType): Collection {
    this.#models.set(model.name, model)
    if (allowsOperators(this.#mapOf(model))) this.#allowsOperators = true
    return createCollection(this.#session, this.#collations, () => this.#mapOf(model))
  }

  /**
   * Waits until the database answers, unless `lazyConnect` is set.
   * @throws {DataSourceUnavailable} it does not
   * @throws {InvalidOption} the driver refuses the settings; `changesOfOthers` is set, but the server has no change streams
   */
  async connect(): Promise<void> {
    this.#session.open()
    for (const log of this.#logs) log.reopen()
    if (this.#follower !== undefined) await this.#follow(this.#follower)
    else if (!this.#isLazy) await this.#session.server()
    this.#collations.forget()
    if (this.#isLazy) return
    await this.#collations.ask()
    this.#reportWide()
  }

  #reportWide(): void {
    const wide = this.#collations.among([...this.#models.values()].map((model) => this.#mapOf(model).collection))
    if (wide.length === 0 || this.#hasReported) return
    this.#hasReported = true
    process.emitWarning(wideTexts.warning('mongodb', wide), { code: 'MODELWIRE_WIDE_COLLATION' })
  }

  /** Reports collections that treat different strings as equal. */
  async examine(models: readonly ModelType[]): Promise<readonly DatabaseFact[]> {
    this.#session.open()
    await this.#collations.ask()
    return models.flatMap((model) => {
      const { collection } = this.#mapOf(model)
      return this.#collations.among([collection]).map((name) => wideTexts.fact(model.name, `the collection ${name}`))
    })
  }

  async disconnect(): Promise<void> {
    await this.#follower?.stop()
    await Promise.all(this.#logs.map(async (log) => log.close()))
    await this.#session.close()
  }

  async #follow(follower: ChangeFollower): Promise<void> {
    const { isReplicated } = await this.#session.server()
    if (!isReplicated)
      throw new InvalidOption(
        'changesOfOthers requires a replica set or a sharded cluster: this server has no change streams',
        {
          key: 'changesOfOthers'
        }
      )
    follower.start()
  }

  /** The log of the changes of models, which a replica set keeps. */
  changeLog(models: readonly ModelType[]): ConnectorChangeLog {
    const log = new MongodbChangeLog({ session: this.#session, models, mapOf: this.#mapOf })
    this.#logs.push(log)
    return log
  }

  async ping(): Promise<void> {
    await this.#session.perform({}, (options) => this.#session.db.command({ ping: 1 }, { ...options }))
  }

  /**
   * Runs `work` in one transaction, retried from the start on a conflict.
   * @throws {NotImplemented} the server has no transactions
   * @throws {TransactionConflict} the conflicts continue
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: { isolation?: string } = {}
  ): Promise<T> {
    return this.#session.transaction(work, options)
  }

  /**
   * Begins a transaction that its caller ends. It is not retried on a conflict: the caller gets the error.
   * @throws {NotImplemented} the server has no transactions
   */
  async beginTransaction(options: { isolation?: string } = {}): Promise<OpenTransaction> {
    return this.#session.begin(options)
  }

  /** Returns what `migrate` would do now, without changing anything. */
  async planMigration(models: readonly ModelType[], options: PlanOptions): Promise<MigrationPlan> {
    return planMigration(this.#session, models.map(this.#mapOf), options)
  }

  /**
   * Creates missing collections, indexes and validators, while no other process does. With `empty` the collections are
   * recreated; with `prune` unique indexes that no model declares are dropped.
   * @throws {MigrationLocked} another process migrated all of the time
   * @throws {MigrationPlanChanged} something else would be done than was agreed to
   * @throws {MigrationFailed} the database refuses a step
   */
  async migrate(models: readonly ModelType[], options: MigrateOptions): Promise<MigrationPlan> {
    try {
      return await runMigration(this.#session, models.map(this.#mapOf), options)
    } finally {
      this.#collations.forget()
    }
  }
}

function capabilitiesOf(session: MongoSession, readsOperators: () => boolean): ConnectorCapabilities {
  return {
    operations: new Set([...allOperations, 'findInParts', 'findRelated', 'aggregate', 'patch']),
    generatedIdType: 'string',
    storesUndeclared: true,
    readsLikeOptions: true,
    findsEmptyText: true,
    foreignOperators: new Set(['all', 'elemMatch', 'exists', 'size']),
    get readsOperators() {
      return readsOperators()
    },
    // What the server is turns out when it is connected.
    get transactions() {
      return session.knownServer?.isReplicated ?? true
    }
  }
}
