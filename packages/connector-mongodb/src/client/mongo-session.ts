import { AsyncLocalStorage } from 'node:async_hooks'
import { DataSourceUnavailable, NotImplemented } from '@modelwire/core'
import {
  abortedBy,
  isFatal,
  type OpenTransaction,
  type Transaction,
  TransactionConflict,
  tryAgain,
  untilLeft
} from '@modelwire/core/connector'
import {
  type ClientSession,
  type Collection,
  type Db,
  type MongoClient,
  MongoError,
  MongoTopologyClosedError
} from 'mongodb'
import type { OwnWrites } from './own-writes.ts'
import { type FaultPlace, translateError } from '../faults/translate-error.ts'
import {
  readIsolation,
  abort,
  checkOpen,
  commit,
  type Current,
  performWithin,
  start
} from '../transaction/open-transaction.ts'
import { inOwnSession, type Kills, untilKilled } from './kill-session.ts'
import { askServer, type ServerKind } from './server-address.ts'

/** Options of every command of the connector. */
export interface CommandOptions {
  readonly session?: ClientSession
  readonly maxTimeMS?: number
}

/** The settings that a session depends on. */
export interface SessionSettings {
  readonly open: () => MongoClient
  /** Milliseconds that a command may take; 0: no limit. */
  readonly statementTimeout: number
  /** How reads of disconnected callers are stopped. */
  readonly kills: Kills
  /** Records the writes of this process, if changes of others are followed. */
  readonly ownWrites?: OwnWrites | undefined
}

type Work<Result> = (options: CommandOptions) => Promise<Result>

/** A read of several commands. */
export interface ReadSteps {
  /** Executes the next command; errors get a code. */
  readonly step: <Result>(work: Work<Result>) => Promise<Result>
  readonly end: () => Promise<void>
}

/** Executes commands: individually, or in the transaction that the caller's work belongs to. */
export class MongoSession {
  readonly #settings: SessionSettings
  readonly #current = new AsyncLocalStorage<Current>()
  #openTransactions = 0
  /** Whether to look for work of rolled-back transactions that is still running. */
  #hasUndone = false
  #client: MongoClient | undefined
  #db: Db | undefined
  /** Cached, since the driver resolves the options of each collection again. */
  readonly #collections = new Map<string, Collection>()
  #server: ServerKind | undefined
  #asking: Promise<ServerKind> | undefined
  #isClosed = false

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  /** The driver's client. @throws {DataSourceUnavailable} the data source is disconnected */
  get client(): MongoClient {
    if (this.#isClosed) throw new DataSourceUnavailable('the data source is disconnected')
    return (this.#client ??= this.#settings.open())
  }

  get db(): Db {
    return (this.#db ??= this.client.db())
  }

  /** The kind of the server, if it is already known. */
  get knownServer(): ServerKind | undefined {
    return this.#server
  }

  collection(name: string): Collection {
    const cached = this.#collections.get(name)
    if (cached === undefined) this.#collections.set(name, this.db.collection(name))
    return cached ?? this.collection(name)
  }

  /** The kind of the server, queried once. */
  async server(): Promise<ServerKind> {
    if (this.#server !== undefined) return this.#server
    try {
      this.#server = await (this.#asking ??= connectedAgain(
        () => this.client,
        () => askServer(this.db)
      ))
      return this.#server
    } catch (error) {
      this.#asking = undefined
      throw translateError(error)
    }
  }

  get isInTransaction(): boolean {
    return this.#joined() !== undefined
  }

  /** Executes a command with its options; errors get a code. */
  async perform<Result>(place: FaultPlace, work: Work<Result>): Promise<Result> {
    const { statementTimeout, kills, ownWrites } = this.#settings
    const { signal, isRead } = place
    const limit = statementTimeout === 0 ? {} : { maxTimeMS: statementTimeout }
    const current = this.#joined()
    if (current !== undefined) {
      const { session, failure } = current
      // The transaction is taken back already: what is read is what others see.
      if (failure !== undefined && !isFatal(failure) && isRead === true) return this.outside(place, () => work(limit))
      const perform = (): Promise<Result> =>
        untilKilled({ ...kills, session, signal }, (own) => work({ ...limit, ...own }))
      return performWithin(current, () => this.#noting(current, place, perform))
    }
    if (signal !== undefined) {
      const perform = (): Promise<Result> =>
        inOwnSession(this.client, { ...kills, signal }, (own) => work({ ...limit, ...own }))
      return untilLeft(signal, () => this.outside(place, perform))
    }
    if (ownWrites === undefined || isRead === true) return this.outside(place, () => work(limit))
    return this.outside(place, () => ownWrites.during(this.client, (session) => work({ ...limit, session })))
  }

  /** Executes the commands of one read, outside of transactions, in a session that its caller ends. */
  inSteps(place: FaultPlace): ReadSteps {
    const { statementTimeout, kills } = this.#settings
    const session = this.client.startSession({ causalConsistency: false })
    const options = { session, ...(statementTimeout > 0 && { maxTimeMS: statementTimeout }) }
    const { signal } = place
    return {
      step: (work) =>
        untilLeft(signal, () =>
          this.outside(place, () => untilKilled({ ...kills, session, signal }, () => work(options)))
        ),
      end: () => session.endSession()
    }
  }

  /** Executes commands outside of transactions. */
  async outside<Result>(place: FaultPlace, work: () => Promise<Result>): Promise<Result> {
    try {
      return await connectedAgain(() => this.client, work)
    } catch (error) {
      throw translateError(error, place)
    }
  }

  /**
   * Runs `work` in a transaction if the server supports it, in the one it already belongs to, or without one; passes
   * whether a failure rolls it back.
   */
  async together<Result>(work: (isUndone: boolean) => Promise<Result>): Promise<Result> {
    if (this.isInTransaction) return work(true)
    const { isReplicated } = await this.server()
    return isReplicated ? this.transaction(() => work(true), {}) : work(false)
  }

  /** Runs `work` in a transaction, or in the one that it already belongs to; retried on a conflict. */
  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { isolation }: { isolation?: string | undefined }
  ): Promise<Result> {
    const options = readIsolation(isolation)
    const joined = this.#joined()
    if (joined !== undefined) return work(joined.handle)
    await this.#checkTransactions()
    return tryAgain(async (attempt) => this.#enter(start(this.client, options, attempt), work))
  }

  /** Begins a transaction that its caller ends. */
  async begin({ isolation }: { isolation?: string | undefined }): Promise<OpenTransaction> {
    const options = readIsolation(isolation)
    await this.#checkTransactions()
    const current = start(this.client, options, 1)
    this.#openTransactions++
    return {
      run: async (work) => {
        checkOpen(current)
        return this.#current.run(current, work)
      },
      commit: async () => {
        checkOpen(current)
        await this.#end(current, 'kept')
      },
      rollback: async () => {
        checkOpen(current)
        await this.#end(current, 'undone')
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    this.#db = undefined
    this.#collections.clear()
    this.#server = undefined
    this.#asking = undefined
    await client?.close()
  }

  /** Accepts commands again after `close`. */
  open(): void {
    this.#isClosed = false
  }

  async #checkTransactions(): Promise<void> {
    const { isReplicated } = await this.server()
    if (!isReplicated)
      throw new NotImplemented('the MongoDB server has no transactions: they need a replica set or a sharded cluster')
  }

  async #enter<Result>(current: Current, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    this.#openTransactions++
    let result: Result
    try {
      result = await this.#current.run(current, () => work(current.handle))
    } catch (error) {
      await this.#end(current, 'undone')
      // A conflict counts whatever the work made of it: all of it can be done again.
      throw current.failure instanceof TransactionConflict ? current.failure : error
    }
    await this.#end(current, 'kept')
    return result
  }

  /** Commits or rolls back. */
  async #end(current: Current, how: 'kept' | 'undone'): Promise<void> {
    const { session } = current
    await current.last
    current.end = 'undone'
    try {
      if (how === 'kept') await this.#commit(current)
      else await abort(session)
    } finally {
      this.#ended(current)
      await session.endSession()
    }
  }

  async #commit(current: Current): Promise<void> {
    if (current.failure !== undefined) {
      await abort(current.session)
      throw abortedBy(current.failure)
    }
    await this.outside({}, () => commit(current.session))
    this.#settings.ownWrites?.noteAll(current.session.operationTime)
    current.end = 'kept'
  }

  /** Stops tracking promises once no transaction is open. */
  #ended({ end }: Current): void {
    this.#openTransactions--
    if (end === 'undone') this.#hasUndone = true
    if (this.#openTransactions === 0 && !this.#hasUndone) this.#current.disable()
  }

  async #noting<Result>(current: Current, place: FaultPlace, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const fault = translateError(error, place)
      // What this process found fault with the server knows nothing of.
      if (error instanceof MongoError) current.failure = fault
      throw fault
    }
  }

  #joined(): Current | undefined {
    if (this.#openTransactions === 0 && !this.#hasUndone) return undefined
    const current = this.#current.getStore()
    // What was left behind by work that is undone must not take effect by itself.
    if (current?.end === 'undone') checkOpen(current)
    return current?.end === 'kept' ? undefined : current
  }
}

/**
 * Carries out work of the driver. It gives a client up for good whose first connection failed, and sends nothing then: such a client
 * is connected anew, so that a server which comes later is used.
 */
async function connectedAgain<Result>(client: () => MongoClient, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MongoTopologyClosedError)) throw error
    await client().connect()
    return work()
  }
}
