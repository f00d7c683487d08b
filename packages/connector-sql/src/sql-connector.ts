import { allOperations } from '@modelwire/core'
import type { Collection, Connector, ConnectorCapabilities, ModelType, Transaction } from '@modelwire/core'
import { sql } from 'kysely'
import type { Database } from './dialect.ts'
import { migrateTables } from './migrate/migrate-tables.ts'
import { Session } from './session.ts'
import { readLog, type SqlSettings } from './settings.ts'
import { openCollection, withoutUndeclared, type UndeclaredPolicy } from './open-collection.ts'
import { createCollection } from './sql-collection.ts'
import { KnownColumns } from './table/known-columns.ts'
import { createSqlTable, type SqlTable, type TablePlace } from './table/sql-table.ts'

/** A database that speaks SQL. What differs between them is in `database`. */
export class SqlConnector implements Connector {
  readonly name: string
  readonly capabilities: ConnectorCapabilities = {
    operations: allOperations,
    generatedIdType: 'number',
    storesUndeclared: true,
    transactions: true
  }
  readonly #database: Database
  readonly #session: Session
  readonly #isLazy: boolean
  readonly #policy: UndeclaredPolicy
  readonly #place: TablePlace
  readonly #columns: KnownColumns
  readonly #tables = new Map<ModelType, SqlTable>()

  constructor(database: Database, settings: SqlSettings) {
    this.name = database.dialect.name
    this.#database = database
    this.#session = new Session(database, readLog(settings))
    this.#isLazy = settings.lazyConnect === true
    this.#policy = settings.undeclared ?? 'keep'
    this.#place = { schema: database.schema, keepsUndeclared: this.#policy !== 'drop' }
    this.#columns = new KnownColumns(database.dialect, this.#session)
  }

  collection(model: ModelType): Collection {
    const table = this.#tableOf(model)
    const whole = this.#collectionIn(table)
    const { undeclared } = table
    if (undeclared === undefined) return whole
    const without = createSqlTable(model, this.#database.dialect, { ...this.#place, keepsUndeclared: false })
    const reduced = withoutUndeclared(this.#collectionIn(without), without, this.#policy)
    return openCollection({ whole, reduced, hasColumn: () => this.#columns.has(table, undeclared) })
  }

  #collectionIn(table: SqlTable): Collection {
    return createCollection({ dialect: this.#database.dialect, table, runner: this.#session })
  }

  /**
   * Waits until the database answers, unless `lazyConnect` is set.
   * @throws {DataSourceUnavailable} it does not
   */
  async connect(): Promise<void> {
    this.#session.open()
    if (!this.#isLazy) await this.ping()
  }

  async disconnect(): Promise<void> {
    await this.#session.close()
  }

  async ping(): Promise<void> {
    await this.#session.run(sql`select 1 as ${sql.id('one')}`, {})
  }

  /**
   * Runs `work` in one transaction. Operations that it calls, however deep, belong to the transaction; so does a
   * transaction within it. Where other transactions got in the way, the work is done again from its start.
   * @throws {TransactionConflict} they kept getting in the way
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: { isolation?: string } = {}
  ): Promise<T> {
    return this.#session.transaction(work, options)
  }

  /** Creates missing tables, columns and indexes; with `empty` the tables are made anew. Nothing else is dropped. */
  async migrate(models: readonly ModelType[], { empty }: { readonly empty: boolean }): Promise<void> {
    const tables = models.map((model) => this.#tableOf(model))
    await migrateTables({ dialect: this.#database.dialect, runner: this.#session }, tables, empty)
    this.#columns.learn(tables)
  }

  #tableOf(model: ModelType): SqlTable {
    const known = this.#tables.get(model)
    // Attaching a model gives its generated id another type.
    if (known !== undefined && known.properties === model.properties) return known
    const table = createSqlTable(model, this.#database.dialect, this.#place)
    this.#tables.set(model, table)
    return table
  }
}
