import { sql } from './sql.ts'
import {
  readSettings,
  untilLeft,
  wideTexts,
  type Collection,
  type Connector,
  type ConnectorActivity,
  type ConnectorChangeLog,
  type ConnectorCapabilities,
  type DatabaseFact,
  type Discovery,
  type KeyPlace,
  type MigrateOptions,
  type MigrationHistory,
  type MigrationPlan,
  type ModelType,
  type OpenTransaction,
  type PlanOptions,
  type PropertyType,
  type Transaction,
  allOperations
} from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { openChangeLog } from './change-log/sql-change-log.ts'
import { createDiscovery } from './discover/create-discovery.ts'
import { createRunners, type Runners } from './hosts/create-runners.ts'
import type { PlanContext } from './plan/planned-step.ts'
import { createHistory, type HistoryContext } from './history/create-history.ts'
import { planMigration, runMigration } from './migrate/run-migration.ts'
import { Session } from './connection/session.ts'
import { readLog, type SqlSettings, SqlSettingsSchema, type StatementLog } from './settings.ts'
import {
  followModel,
  createTableCollection,
  openCollection,
  withoutUndeclared,
  type UndeclaredPolicy,
  forwardTo
} from './collection/open-collection.ts'
import { createSqlTable, type SqlTable, type TablePlace } from './table/sql-table.ts'
import { factsOf, partialKeyFact, type StoredColumns, wideColumns, withStored } from './table/stored-columns.ts'
import { keyColumns } from './find/select-rows.ts'
import { TableColumns } from './facts/table-columns.ts'
import { type Database, withSettings } from './dialect/database.ts'

/** An SQL database. Differences between databases are in `database`. */
export class SqlConnector implements Connector {
  readonly name: string
  readonly capabilities: ConnectorCapabilities
  readonly activity: ConnectorActivity
  readonly discovery: Discovery
  readonly migrationHistory: MigrationHistory
  readonly #database: Database
  readonly #session: Session
  readonly #runners: Runners
  readonly #isLazy: boolean
  readonly #log: StatementLog | undefined
  readonly #fromRelations: boolean
  readonly #policy: UndeclaredPolicy
  readonly #place: TablePlace
  readonly #columns: TableColumns
  #hasReported = false
  readonly #reportedKeys = new Set<string>()
  readonly #tables = new Map<ModelType, SqlTable>()
  readonly #compared = new WeakMap<SqlTable, { types: StoredColumns | undefined; compared: SqlTable }>()
  readonly #reducedTables = new WeakMap<SqlTable, SqlTable>()

  constructor(given: Database, settings: SqlSettings) {
    const checked = readSettings(SqlSettingsSchema, settings, 'SQL')
    const database = withSettings(given, checked)
    this.name = database.dialect.name
    this.capabilities = capabilitiesOf(database, {
      relates: (from, to) => this.#relates(from, to),
      keyBesideId: async (model) => this.#keyBesideId(this.#tableOf(model))
    })
    this.#database = database
    this.#log = readLog(settings)
    this.#session = new Session(database, this.#log)
    this.#runners = createRunners(this.#session, database)
    this.activity = this.#session.activity
    this.#fromRelations = checked.foreignKeysFromRelations
    this.#isLazy = checked.lazyConnect
    this.#policy = checked.undeclared
    this.#place = { schema: database.schema, keepsUndeclared: this.#policy !== 'drop' }
    this.discovery = createDiscovery({ dialect: database.dialect, runner: this.#session }, database.schema)
    this.#columns = new TableColumns(database.dialect, this.#session)
    const withMigration: HistoryContext['withMigration'] = async (work) => this.#withMigration(work)
    this.migrationHistory = createHistory({ database, session: this.#session, withMigration })
  }

  collection(model: ModelType): Collection {
    return followModel(model, () => this.#collectionOf(model))
  }

  #collectionOf(model: ModelType): Collection {
    const table = this.#tableOf(model)
    const whole = this.#collectionIn(table, table)
    const { undeclared } = table
    if (undeclared === undefined) return whole
    const without = this.#reduced(table)
    const reduced = withoutUndeclared(this.#collectionIn(without, table), without, this.#policy)
    return openCollection({ whole, reduced, hasColumn: () => this.#columns.has(table, undeclared) })
  }

  /**
   * The collection of a table, whose comparisons follow the columns in the database.
   * @param known has the columns of the database
   */
  #collectionIn(table: SqlTable, known: SqlTable): Collection {
    const place = {
      dialect: this.#database.dialect,
      runners: this.#runners,
      tableOf: (model: ModelType) => this.#comparing(this.#tableOf(model))
    }
    const made = new WeakMap<SqlTable, Collection>()
    const collectionOf = (compared: SqlTable): Collection => {
      const collection = made.get(compared) ?? createTableCollection(compared, place)
      made.set(compared, collection)
      return collection
    }
    return forwardTo(collectionOf(table), async (signalOf) => {
      const types = this.#askTypes(known)
      if (types instanceof Promise) await untilLeft(signalOf(), async () => types)
      return collectionOf(this.#comparing(table, known))
    })
  }

  /** Queries the columns of a table: they decide how its values are written, compared and grouped. */
  #askTypes(table: SqlTable): Awaitable<StoredColumns> {
    return this.#columns.of(table)
  }

  /** A table whose columns know how to compare strings, as far as the database has already reported them. */
  #comparing(table: SqlTable, known = table): SqlTable {
    const types = this.#columns.known(known)
    const cached = this.#compared.get(table)
    if (cached !== undefined && cached.types === types) return cached.compared
    const compared = withStored(table, this.#database.dialect, types)
    this.#compared.set(table, { types, compared })
    return compared
  }

  /** A copy of the table without a column for undeclared properties. */
  #reduced(table: SqlTable): SqlTable {
    const cached = this.#reducedTables.get(table)
    if (cached !== undefined) return cached
    const made = createSqlTable(table.model, this.#database.dialect, { ...this.#place, keepsUndeclared: false })
    this.#reducedTables.set(table, made)
    return made
  }

  #relates(from: KeyPlace, to: KeyPlace): Awaitable<boolean> {
    const [table, other] = [this.#tableOf(from.model), this.#tableOf(to.model)]
    const [column, key] = [table.byProperty.get(from.property), other.byProperty.get(to.property)]
    if (column === undefined || key === undefined) return false
    return this.#columns.compares({ table, column }, { table: other, column: key })
  }

  /** Without dates, whose columns may hold microseconds, which no record shows, and what may be null, as in SQLite. */
  async #keyBesideId(table: SqlTable): Promise<readonly PropertyType[]> {
    await this.#askTypes(table)
    return keyColumns(this.#comparing(table))
      .slice(table.key.length)
      .filter(({ kind, hasDefault }) => kind !== 'date' && hasDefault !== false)
      .map(({ property }) => property)
  }

  /**
   * Waits until the database answers, unless `lazyConnect` is set.
   * @throws {DataSourceUnavailable} it does not
   */
  async connect(): Promise<void> {
    this.#session.open()
    if (this.#isLazy) return
    await this.ping()
    await this.#reportWide()
    this.#reportPartialKeys()
  }

  /** Queries the columns of all tables; returns the names of tables that treat different strings as equal. */
  async #findWide(): Promise<ReadonlySet<string>> {
    const wide = new Set<string>()
    for (const table of this.#tables.values()) {
      const types = await this.#askTypes(table)
      if (wideColumns(table, types).length > 0) wide.add(table.name)
    }
    return wide
  }

  /** Reports them once, before the first statement, when nothing waits for the answer yet. */
  async #reportWide(): Promise<void> {
    const wide = await this.#findWide()
    if (wide.size === 0 || this.#hasReported) return
    this.#hasReported = true
    process.emitWarning(wideTexts.warning(this.#database.dialect.name, wide), { code: 'MODELWIRE_WIDE_COLLATION' })
  }

  /** Reports models whose id is a part of the primary key, as far as the database has reported the columns. */
  #reportPartialKeys(): void {
    for (const table of this.#tables.values()) {
      const { partialKey } = this.#comparing(table)
      if (partialKey === undefined || this.#reportedKeys.has(table.name) || table.model.registry.rules.changesAllOfId)
        continue
      this.#reportedKeys.add(table.name)
      const { reason, advice } = partialKeyFact(table, partialKey)
      process.emitWarning(`${table.model.name}: ${reason}; ${advice}`, { code: 'MODELWIRE_PARTIAL_KEY' })
    }
  }

  /** Reports columns that treat different strings as equal, and tables without a column for undeclared properties. */
  async examine(models: readonly ModelType[]): Promise<readonly DatabaseFact[]> {
    this.#session.open()
    const facts: DatabaseFact[] = []
    for (const table of this.#tablesOf(models))
      facts.push(...factsOf(table, this.#database.dialect.types, await this.#columns.of(table)))
    return facts
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.#session.close(), this.#runners.close()])
  }

  async ping(): Promise<void> {
    await this.#session.run(sql`select 1 as ${sql.id('one')}`, {})
  }

  /**
   * Runs `work` in one transaction. Operations that it calls, however deep, belong to the transaction, as do nested
   * transactions. On a conflict, the work is retried from its start.
   * @throws {TransactionConflict} the conflicts continue
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: { isolation?: string } = {}
  ): Promise<T> {
    return this.#session.transaction(work, options)
  }

  /** Waits for locks, which the caller's transaction then holds. @throws {TransactionConflict} one cannot be had */
  async lock(keys: readonly string[]): Promise<void> {
    await this.#session.lock(keys)
  }

  /**
   * Begins a transaction that its caller ends. It is not retried on a conflict: the caller gets the error.
   * @throws {IsolationUnknown} there is no such level of isolation
   */
  async beginTransaction(options: { isolation?: string } = {}): Promise<OpenTransaction> {
    return this.#session.begin(options)
  }

  /**
   * Runs a statement in the database's own language, in the transaction that the caller's work belongs to.
   * @returns what LoopBack's connector for this database gives
   */
  async execute(statement: string, parameters: readonly unknown[] = []): Promise<unknown> {
    const result = await this.#runners.writer.run({ sql: statement, parameters }, {})
    return this.#database.resultOf(statement, result)
  }

  /**
   * The trigger-based log of the changes of these models.
   * @throws {InvalidDefinition} the database has no triggers
   */
  changeLog(models: readonly ModelType[]): ConnectorChangeLog {
    return openChangeLog(this.#database, { models, runner: this.#session, tables: () => this.#tablesOf(models) })
  }

  /**
   * Returns what `migrate` would do now, without changing anything.
   * @throws {InvalidDefinition} a foreign key is malformed
   */
  async planMigration(models: readonly ModelType[], options: PlanOptions): Promise<MigrationPlan> {
    const { dialect } = this.#database
    const context = { dialect, runner: this.#session, ...this.#placeOf(models) }
    return planMigration(context, this.#tablesOf(models), options)
  }

  /**
   * Creates missing tables, columns, indexes and foreign keys, while no other process does. With `empty` the tables are
   * recreated; with `prune` columns and unique indexes that no model declares are dropped.
   * @throws {MigrationLocked} another process migrated all of the time
   * @throws {MigrationPlanChanged} something else would be done than was agreed to
   * @throws {MigrationFailed} the database refuses a step
   */
  async migrate(models: readonly ModelType[], options: MigrateOptions): Promise<MigrationPlan> {
    const { dialect } = this.#database
    const tables = this.#tablesOf(models)
    const done = await this.#withMigration(async (session, openGuard) => {
      const context = { dialect, session, openGuard, lock: dialect.schema.lock, ...this.#placeOf(models) }
      return runMigration(context, tables, options)
    })
    await this.#findWide()
    return done
  }

  async #withMigration<T>(work: (session: Session, openGuard: () => Session) => Promise<T>): Promise<T> {
    const session = this.#openMigration() ?? this.#session
    try {
      return await work(session, () => this.#openMigration() ?? this.#session)
    } finally {
      this.#columns.forget()
      if (session !== this.#session) await session.close()
    }
  }

  /** A session without time limits; undefined if the default one has none. */
  #openMigration(): Session | undefined {
    const { forMigration } = this.#database
    return forMigration && new Session({ ...this.#database, open: forMigration }, this.#log)
  }

  #tablesOf(models: readonly ModelType[]): readonly SqlTable[] {
    return models.map((model) => this.#tableOf(model))
  }

  /** All models of the data source, and the targets of their foreign keys. */
  #placeOf([first]: readonly ModelType[]): Omit<PlanContext, 'dialect' | 'runner'> {
    const registered = first === undefined ? [] : first.registry.names().map((name) => first.registry.typeOf(name))
    const models = registered.filter(({ dataSource }) => dataSource !== undefined && dataSource === first?.dataSource)
    const tableOf = (name: string): SqlTable | undefined => {
      const model = first?.registry.find(name)
      return model !== undefined && models.includes(model) ? this.#tableOf(model) : undefined
    }
    const foreignKeys = { tableOf, fromRelations: this.#fromRelations }
    return { all: this.#tablesOf(models), foreignKeys, schema: this.#database.schema }
  }

  #tableOf(model: ModelType): SqlTable {
    const cached = this.#tables.get(model)
    // Attaching a model gives its generated id another type.
    if (cached !== undefined && cached.properties === model.properties) return cached
    const table = createSqlTable(model, this.#database.dialect, this.#place)
    this.#tables.set(model, table)
    return table
  }
}

/** What a database can do. */
function capabilitiesOf(
  { dialect: { returning }, parts, replicas }: Pick<Database, 'dialect' | 'parts' | 'replicas'>,
  asked: Required<Pick<ConnectorCapabilities, 'relates' | 'keyBesideId'>>
): ConnectorCapabilities {
  return {
    operations: new Set([
      ...allOperations,
      'findRelated',
      'aggregate',
      ...(returning ? (['patch'] as const) : []),
      ...(parts ? (['findInParts'] as const) : [])
    ]),
    generatedIdType: 'number',
    storesUndeclared: true,
    storesAbsentAsNull: true,
    transactions: true,
    locks: true,
    compositeIds: true,
    ...(replicas && { replicas: { readAfterWrite: replicas.readAfterWrite } }),
    ...asked
  }
}
