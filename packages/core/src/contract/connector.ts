import type { AggregateQuery } from './aggregate.ts'
import type { ConnectorChangeLog } from './change-log.ts'
import type { Condition, Filter } from './condition.ts'
import type { ModelType } from './model-type.ts'
import type { Awaitable } from '../values/awaitable.ts'
import type { Id, Row } from './row.ts'
import type { ConnectionWatcher } from './connection-watcher.ts'
import type { ConnectorActivity } from './connector-activity.ts'
import type { ConnectorMethods } from './connector-method.ts'
import type { Discovery } from './discovery.ts'
import type { SchemaMigrations } from './schema-migrations.ts'

/** What a connector can do. Core gives operations that are absent no method and no route. */
export interface ConnectorCapabilities {
  /** Absent operations answer with a coded error in code and get no route over HTTP. */
  readonly operations: ReadonlySet<keyof Collection>
  /** The type of ids that the connector makes itself; `declared` where it makes none: they have the type of their property. */
  readonly generatedIdType: 'number' | 'string' | 'declared'
  /** `insert` gives absent text ids a number as well that no definition declares as generated, as LoopBack's memory connector does. */
  readonly countsTextIds?: boolean
  /** Undeclared properties of open models are stored. */
  readonly storesUndeclared: boolean
  /** Undeclared names such as `$set` may be operators to the database, those with a dot paths: clients may not use them. */
  readonly readsOperators?: boolean
  /**
   * The names that properties of a model are stored under, where these differ from their own: as undeclared names of data they would
   * set those properties, so clients may not use them. Absent: there are none.
   */
  readonly storedNames?: (model: ModelType) => ReadonlySet<string>
  /** LoopBack's connector finds or creates a record by itself, so the new one has to be valid even where it is not needed. */
  readonly findsOrCreates?: boolean
  /** LoopBack's connector updates or creates what matches by itself, so a patch has to be valid as a new record. */
  readonly upsertsWithWhere?: boolean
  /** Where `ignoresLikeOptions` holds, `options` beside `like` and `nlike` are read, as LoopBack's connector does; others ignore them. */
  readonly readsLikeOptions?: boolean
  /** Where `findsEmptyLike` holds, every text is like the empty one, as LoopBack's connector has it; elsewhere none is. */
  readonly findsEmptyText?: boolean
  /** Names that LoopBack's connector passes on as operators of the database: they are refused. */
  readonly foreignOperators?: ReadonlySet<string>
  /** Where the rule of this name holds, dates in lists of `inq` and `nin` are equal to nothing, as LoopBack's memory connector has it. */
  readonly ignoresDatesInLists?: boolean
  /** `transaction` exists. */
  readonly transactions: boolean
  /** `process`: what collections call atomic is so for the writers of this process alone. Absent: `database`. */
  readonly atomicity?: 'database' | 'process'
  /** Reads may be answered by copies that lag: those of a client go on to what is stored now for so many milliseconds after it wrote. */
  readonly replicas?: { readonly readAfterWrite: number } | undefined
  /** `find` heeds `lock` of a filter within a transaction. */
  readonly locks?: boolean
  /**
   * Whether the database itself can test that a property of one model, or an item of the list in it, is the key in a
   * property of another: then conditions on them may be of the kind `related`. Absent: never; keys are read first.
   */
  readonly relates?: (from: KeyPlace, to: KeyPlace) => Awaitable<boolean>
}

/** A property that holds a key. */
export interface KeyPlace {
  readonly model: ModelType
  readonly property: string
}

/** What a read is carried out with. */
export interface ReadOptions {
  /**
   * Aborted when the caller has left: then the read may reject, and what runs for long in the database is cancelled. A
   * short read that belongs to a transaction goes on.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * The records of one model in one database. Every method works on whole sets and is atomic by itself.
 *
 * Rows that are passed in belong to the collection afterwards. Rows that are returned may be the stored ones: callers
 * never change them.
 *
 * A database in the same process may answer, or throw, synchronously. Promises are native ones: others count as
 * answers.
 */
export interface Collection {
  /**
   * The rows that match, ordered, skipped and limited as `filter` says.
   * @throws {AnswerTooLarge} there are more of them, or larger ones, than `filter.atMost` allows
   */
  find(filter: Filter, options?: ReadOptions): Awaitable<Row[]>
  /** The row with this id. */
  findById(id: Id, options?: ReadOptions): Awaitable<Row | undefined>
  /** How many rows match; `undefined` counts all. */
  count(where: Condition | undefined, options?: ReadOptions): Awaitable<number>
  /**
   * Stores all rows or none, makes ids where they are generated and absent, and returns the stored rows in order.
   * @throws {DuplicateKey} an id or a unique value exists already
   */
  insert(rows: readonly Row[]): Awaitable<Row[]>
  /**
   * Sets the properties of `patch` in every row that matches, atomically, and returns how many matched. Optimistic
   * locking and one-time codes are built on this count.
   * @throws {DuplicateKey} a unique value exists already
   */
  update(where: Condition | undefined, patch: Row): Awaitable<number>
  /**
   * Patches the row with `row`'s id, or inserts it.
   * @throws {DuplicateKey} a unique value exists already
   */
  upsert(row: Row): Awaitable<{ row: Row; created: boolean }>
  /**
   * Replaces the row with this id as a whole; false when there is none, or it does not match `where`, which is part of the same
   * atomic change.
   * @throws {DuplicateKey} a unique value exists already
   */
  replace(id: Id, row: Row, where?: Condition): Awaitable<boolean>
  /** Removes every row that matches and returns how many there were. */
  delete(where: Condition | undefined): Awaitable<number>
  /**
   * The rows that hold each key, in the order of the keys. Only of connectors that declare the operation: they resolve
   * includes by themselves, in one query however many keys there are. Undefined where the caller must use `find`
   * instead.
   * @throws {AnswerTooLarge} all keys together have more rows, or larger ones, than `query.filter.atMost` allows
   */
  findRelated?(query: RelatedQuery, options?: ReadOptions): Awaitable<readonly (readonly Row[])[] | undefined>
  /**
   * Sums and groups of the rows that match, as rows of their own: averages of decimal numbers have 20 decimals or more. Only of connectors that declare the operation. Undefined where the caller must use `find` instead.
   */
  aggregate?(query: AggregateQuery, options?: ReadOptions): Awaitable<Row[] | undefined>
  /**
   * Sets the properties of `patch` in the only row that matches and returns that row as it is then; undefined where none
   * matches. Only of connectors that declare the operation.
   * @throws {DuplicateKey} a unique value exists already
   */
  patch?(where: Condition, patch: Row): Awaitable<Row | undefined>
}

/** The query of an include, for a connector that declares `findRelated`. */
export interface RelatedQuery {
  /** One per parent. */
  readonly keys: readonly unknown[]
  /** The property that holds a parent's key. */
  readonly property: string
  /** `order`, `limit` and `skip` hold for the rows of one parent. */
  readonly filter: Filter
}

/** A transaction that work runs in. Operations join it automatically: it is not passed to them. */
export interface Transaction {
  /** 1, and one more each time the database made the connector do the work again. */
  readonly attempt: number
}

/** A transaction that its owner has to end. */
export interface OpenTransaction {
  /** Runs `work` in the transaction. What it calls, however deep, belongs to it. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Keeps what was done. Afterwards the transaction is over, whether that worked or not. */
  commit(): Promise<void>
  /** Takes back what was done. */
  rollback(): Promise<void>
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
  /** Reports to `watcher` what happens to the connection between calls. Called once, before `connect`. */
  watch?(watcher: ConnectionWatcher): void
  /** Its statements and connections, for metrics and traces. Absent: they are not known. */
  readonly activity?: ConnectorActivity
  /** The records of `model`. Called once per attached model, before `connect`. */
  collection(model: ModelType): Collection
  /**
   * Methods for `model`, in place of those of the same names that it has: what LoopBack calls the connector's `DataAccessObject`.
   * Called after `collection`, and again after `connect`: what is new then is added.
   */
  methods?(model: ModelType): ConnectorMethods
  /** Reads what the database has, where it has tables. */
  readonly discovery?: Discovery
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Operations that it calls,
   * however deep, belong to the transaction. On a conflict, the work may run again from its start.
   */
  transaction?<T>(work: (transaction: Transaction) => Promise<T>, options?: { isolation?: string }): Promise<T>
  /**
   * Within a transaction: waits until no other one holds the lock of a key, one key after the other, and holds them until this
   * one ends. Absent where the database has no such locks.
   * @throws {TransactionConflict} one cannot be had
   */
  lock?(keys: readonly string[]): Promise<void>
  /** Begins a transaction that its caller ends. It takes a connection of its own until then. */
  beginTransaction?(options?: { isolation?: string }): Promise<OpenTransaction>
  /** The log of the changes of these models, which the database keeps; absent where it cannot. */
  changeLog?(models: readonly ModelType[]): ConnectorChangeLog
  /** Runs a statement of the database's own, in the transaction of the caller's work: gives rows, or how many were changed. */
  execute?(statement: string, parameters?: readonly unknown[]): Promise<unknown>
  /** What scripts of an application folder find as `dataSource.connector`, where the property is there. */
  readonly scriptConnector?: unknown
  /** Additional members of a data source for such scripts, such as functions that its connector made. */
  readonly scriptMembers?: Readonly<Record<string, unknown>>
}
