import type { AggregateQuery } from './aggregate.ts'
import type { ConnectorChangeLog } from './change-log.ts'
import type { Condition, Filter } from './condition.ts'
import type { ModelType } from './model-type.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { Awaitable } from '@modelwire/server'
import type { Id, Row } from './row.ts'
import type { ConnectionWatcher, ConnectorActivity, ConnectorMethods } from './data-source.ts'
import type { Discovery } from './discovery.ts'
import type { MigrateOptions, MigrationPlan, PlanOptions, MigrationHistory } from './migration.ts'

/** How a connector changes the schema of its database; absent for one without a schema. */
interface SchemaMigrations<Model> {
  /**
   * Prepares the database for the records of `models`, and returns what it did. With `empty` existing records are removed.
   * No two processes do so at once.
   */
  migrate?(models: readonly Model[], options: MigrateOptions): Promise<MigrationPlan>
  /** Returns what `migrate` would do now. */
  planMigration?(models: readonly Model[], options: PlanOptions): Promise<MigrationPlan>
  /** The history of applied migration files; absent if migrations are not kept in files. */
  readonly migrationHistory?: MigrationHistory
}

/** The capabilities of a connector. Core offers neither methods nor routes for unsupported operations. */
export interface ConnectorCapabilities {
  /** Supported operations. Others fail with a coded error in code and have no route over HTTP. */
  readonly operations: ReadonlySet<keyof Collection>
  /** The type of ids that the connector generates; `declared` if it generates none: they have the type of their property. */
  readonly generatedIdType: 'number' | 'string' | 'declared'
  /**
   * `insert` also assigns a number to absent string ids that no definition declares as generated, as LoopBack's memory
   * connector does.
   */
  readonly countsTextIds?: boolean
  /** Undeclared properties of open models are stored. */
  readonly storesUndeclared: boolean
  /** Rows have every declared property: a replacement stores null for absent ones. Otherwise they remain absent. */
  readonly storesAbsentAsNull?: boolean
  /**
   * The database may read undeclared names such as `$set` as operators, and those with a dot as paths: clients may not use
   * them.
   */
  readonly readsOperators?: boolean
  /**
   * The names under which properties of a model are stored, if they differ from their own: as undeclared names in data they
   * would set those properties, so clients may not use them. Absent: there are none.
   */
  readonly storedNames?: (model: ModelType) => ReadonlySet<string>
  /** LoopBack's connector finds or creates a record itself, so the new one must be valid even if it is not needed. */
  readonly findsOrCreates?: boolean
  /** LoopBack's connector updates or creates the matching record itself, so a patch must be valid as a new record. */
  readonly upsertsWithWhere?: boolean
  /**
   * If `ignoresLikeOptions` holds, `options` next to `like` and `nlike` are read, as LoopBack's connector does; others
   * ignore them.
   */
  readonly readsLikeOptions?: boolean
  /** If `findsEmptyLike` holds, every string matches an empty `like`, as in LoopBack's connector; otherwise none does. */
  readonly findsEmptyText?: boolean
  /** Names that LoopBack's connector passes to the database as operators: they are refused. */
  readonly foreignOperators?: ReadonlySet<string>
  /** If the rule of this name holds, dates in lists of `inq` and `nin` equal nothing, as in LoopBack's memory connector. */
  readonly ignoresDatesInLists?: boolean
  /** `transaction` exists. */
  readonly transactions: boolean
  /** `process`: operations of collections are only atomic among the writers of this process. Absent: `database`. */
  readonly atomicity?: 'database' | 'process'
  /**
   * Reads may be served by replicas that lag: those of a client go to the primary for `readAfterWrite` milliseconds after
   * it wrote.
   */
  readonly replicas?: { readonly readAfterWrite: number } | undefined
  /** `find` honours a filter's `lock` within a transaction. */
  readonly locks?: boolean
  /**
   * Whether the database itself can test that a property of one model, or an item of its list, equals a key property of
   * another: then conditions on them may be of the kind `related`. Absent: never; keys are read first.
   */
  readonly relates?: (from: KeyPlace, to: KeyPlace) => Awaitable<boolean>
  /**
   * Collections tell records apart by all properties of `ModelType.key`, and read ids of several with `hasKey`. Absent:
   * models whose id consists of several properties are refused at the start.
   */
  readonly compositeIds?: boolean
  /**
   * The properties of a model that are in the primary key of its table beside the id, and tell records with the same id
   * apart: those whose values records hold exactly. Absent: ids are unique.
   */
  readonly keyBesideId?: (model: ModelType) => Awaitable<readonly PropertyType[]>
}

/** A property that contains a key. */
export interface KeyPlace {
  readonly model: ModelType
  readonly property: string
}

/** The options of a read. */
export interface ReadOptions {
  /**
   * Aborted when the caller disconnects: then the read may reject, and long-running work in the database is cancelled. A
   * short read that belongs to a transaction continues.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * The records of one model in one database. Every method works on whole sets and is atomic by itself.
 *
 * Rows that are passed in belong to the collection afterwards. Returned rows may be the stored ones: callers never change
 * them.
 *
 * A database in the same process may return, or throw, synchronously. Promises must be native ones: others count as
 * results.
 */
export interface Collection {
  /**
   * The rows that match, ordered and paginated by `filter`.
   * @throws {AnswerTooLarge} there are more of them, or larger ones, than `filter.atMost` allows
   */
  find(filter: Filter, options?: ReadOptions): Awaitable<Row[]>
  /**
   * The rows of `find`, in the same order, in parts of at most some hundred kilobytes: each is read when it is asked for, by
   * a cursor of the database, which ends with the iteration, even if that is left early. Only for connectors that declare the
   * operation. Undefined if the caller must use `find` instead, as within a transaction.
   * @throws {AnswerTooLarge} as `find`, at the part that exceeds `filter.atMost`
   */
  findInParts?(filter: Filter, options?: ReadOptions): Awaitable<AsyncIterable<readonly Row[]> | undefined>
  /** The row with this id. */
  findById(id: Id, options?: ReadOptions): Awaitable<Row | undefined>
  /** The number of rows that match; `undefined` counts all. */
  count(where: Condition | undefined, options?: ReadOptions): Awaitable<number>
  /**
   * Stores all rows or none, generates absent ids, and returns the stored rows in order: including values added by the
   * database, unless the rule `leavesOutUnsent` holds.
   * @throws {DuplicateKey} an id or a unique value exists already
   */
  insert(rows: readonly Row[]): Awaitable<Row[]>
  /**
   * Sets the properties of `patch` in every row that matches, atomically; if `where` names the id, `patch` then has the
   * values that are stored in place of its own, and returns how many matched. Optimistic
   * locking and one-time codes are built on this count.
   * @throws {DuplicateKey} a unique value exists already
   */
  update(where: Condition | undefined, patch: Row): Awaitable<number>
  /**
   * Patches the row with `row`'s id, or inserts it.
   * @param defaults values of a new row for properties that `row` leaves out; a stored row keeps its own
   * @throws {DuplicateKey} a unique value exists already
   */
  upsert(row: Row, defaults?: Readonly<Row>): Awaitable<{ row: Row; created: boolean }>
  /**
   * Replaces the whole row with this id; false if there is none, or it does not match `where`, which is part of the same
   * atomic change.
   * @throws {DuplicateKey} a unique value exists already
   */
  replace(id: Id, row: Row, where?: Condition): Awaitable<boolean>
  /** Removes every row that matches and returns their number. */
  delete(where: Condition | undefined): Awaitable<number>
  /**
   * The rows with each key, in the order of the keys. Only for connectors that declare the operation: they resolve includes
   * themselves, in one query for any number of keys. Undefined if the caller must use `find` instead.
   * @throws {AnswerTooLarge} all keys together have more rows, or larger ones, than `query.filter.atMost` allows
   */
  findRelated?(query: RelatedQuery, options?: ReadOptions): Awaitable<readonly (readonly Row[])[] | undefined>
  /**
   * Aggregates of the rows that match, as result rows: averages of decimal numbers have 20 decimals or more. Only for
   * connectors that declare the operation. Undefined if the caller must use `find` instead.
   */
  aggregate?(query: AggregateQuery, options?: ReadOptions): Awaitable<Row[] | undefined>
  /**
   * Sets the properties of `patch` in the only row that matches and returns the resulting row; undefined if none matches.
   * Only for connectors that declare the operation.
   * @throws {DuplicateKey} a unique value exists already
   */
  patch?(where: Condition, patch: Row): Awaitable<Row | undefined>
}

/** The query of an include, for a connector that declares `findRelated`. */
export interface RelatedQuery {
  /** One per parent. */
  readonly keys: readonly unknown[]
  /** The property that contains a parent's key. */
  readonly property: string
  /** `order`, `limit` and `skip` apply to the rows of one parent. */
  readonly filter: Filter
}

/** A transaction that work runs in. Operations join it automatically: it is not passed to them. */
export interface Transaction {
  /** 1 for the first attempt, increased each time the database makes the connector retry the work. */
  readonly attempt: number
}

/** A transaction that its owner must end. */
export interface OpenTransaction {
  /** Runs `work` in the transaction. What it calls, however deep, belongs to it. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Commits. Afterwards the transaction is over, whether or not that succeeded. */
  commit(): Promise<void>
  /** Rolls back. */
  rollback(): Promise<void>
}

/** A fact about a database that an application should know before it starts. */
export interface DatabaseFact {
  readonly model: string
  readonly property?: string
  /** `differs`: records are found or stored differently than their definition suggests. */
  readonly effect: 'differs' | 'info'
  readonly reason: string
  readonly advice: string
}

/** A database. One instance per data source. */
export interface Connector extends SchemaMigrations<ModelType> {
  /** As written in `datasources.json`: `memory`, `postgresql`, … */
  readonly name: string
  readonly capabilities: ConnectorCapabilities
  /** Opens the database. Called once, after all models are attached. */
  connect(): Promise<void>
  /** Ends open work and closes the database. */
  disconnect(): Promise<void>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /** Reports connection events outside of calls to `watcher`. Called once, before `connect`. */
  watch?(watcher: ConnectionWatcher): void
  /** Its statements and connections, for metrics and traces. Absent: not available. */
  readonly activity?: ConnectorActivity
  /** The records of `model`. Called once per attached model, before `connect`. */
  collection(model: ModelType): Collection
  /**
   * Methods for `model`, replacing those of the same names: LoopBack's `DataAccessObject` of the connector. Called after
   * `collection`, and again after `connect`: new ones are added then.
   */
  methods?(model: ModelType): ConnectorMethods
  /**
   * Queries the database for facts about its tables that an application with these models should know; the models need not
   * be attached. Startup reports the same in short. Ends with `disconnect`, even if `connect` was not called.
   * @throws {DataSourceUnavailable} the database does not answer
   */
  examine?(models: readonly ModelType[]): Promise<readonly DatabaseFact[]>
  /** Reads the schema of the database, if it has tables. */
  readonly discovery?: Discovery
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Operations that it calls,
   * however deep, belong to the transaction. On a conflict, the work may be retried from its start.
   */
  transaction?<T>(work: (transaction: Transaction) => Promise<T>, options?: { isolation?: string }): Promise<T>
  /**
   * Within a transaction: takes the locks of keys one after the other, waiting for other transactions, and holds them until
   * this one ends. Absent if the database has no such locks.
   * @throws {TransactionConflict} one cannot be had
   */
  lock?(keys: readonly string[]): Promise<void>
  /** Begins a transaction that its caller ends. It holds a connection until then. */
  beginTransaction?(options?: { isolation?: string }): Promise<OpenTransaction>
  /** The log that the database keeps of the changes of these models; absent if it cannot. */
  changeLog?(models: readonly ModelType[]): ConnectorChangeLog
  /**
   * Runs a statement in the database's own language, in the transaction of the caller's work: returns rows, or the number
   * of changed ones.
   */
  execute?(statement: string, parameters?: readonly unknown[]): Promise<unknown>
  /** The value of `dataSource.connector` in scripts of an application folder, if set. */
  readonly scriptConnector?: unknown
  /** Additional members of a data source for such scripts, such as functions that its connector created. */
  readonly scriptMembers?: Readonly<Record<string, unknown>>
}
