import { ScriptArgumentInvalid, TransactionNotActive } from '../../errors.ts'
import { acceptCallback, callHook, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { refusedMember } from '../../script-members.ts'
import { randomUUID } from 'node:crypto'
import type { ModelRegistry } from '@modelwire/core'
import {
  beginTransaction,
  type DataSource,
  isolationLevels as standardLevels,
  type OpenTransaction
} from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

/** `Transaction` of LoopBack's modules: the names of its isolation levels and events. */
export const isolationLevels: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    standardLevels.map((level) => level.toUpperCase()).map((level) => [level.replaceAll(' ', '_'), level] as const)
  ),
  hookTypes: {
    BEFORE_COMMIT: 'before commit',
    AFTER_COMMIT: 'after commit',
    BEFORE_ROLLBACK: 'before rollback',
    AFTER_ROLLBACK: 'after rollback',
    TIMEOUT: 'timeout'
  },
  begin: refusedMember('Transaction.begin', 'use Model.beginTransaction or dataSource.beginTransaction')
}

type Operation = 'commit' | 'rollback' | 'timeout'

/** The context of a transaction's observers. */
export interface TransactionContext {
  readonly transaction: ScriptTransaction
  readonly operation: Operation
}

/**
 * A transaction of a script: passed to data access as `options.transaction`, ended by `commit` or `rollback`. Observers
 * run for `before commit`, `after commit`, `before rollback`, `after rollback` and `timeout`.
 * @see LoopBack 3: loopback-datasource-juggler, lib/transaction.js
 */
export class ScriptTransaction {
  readonly id: string = randomUUID()
  readonly #open: OpenTransaction
  readonly #observers = new Map<string, ScriptFunction[]>()
  #isActive = true
  #timer: NodeJS.Timeout | undefined

  constructor(open: OpenTransaction, timeout: number | undefined, onLateError: (error: unknown) => void) {
    this.#open = open
    if (timeout !== undefined) this.#timer = setTimeout(() => void this.#expire(onLateError), timeout)
  }

  /** Commits. If an observer of `before commit` fails, the transaction stays open. */
  readonly commit: ScriptFunction = acceptCallback(() => this.#end('commit'), nothing)
  /** Rolls back. */
  readonly rollback: ScriptFunction = acceptCallback(() => this.#end('rollback'), nothing)

  isActive(): boolean {
    return this.#isActive
  }

  /** Runs data access in the transaction. @throws {TransactionNotActive} it is over */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#check()
    return this.#open.run(work)
  }

  /** @throws {ScriptArgumentInvalid} the observer is not a function */
  observe(operation: string, observer: unknown): void {
    if (!isFunction(observer)) throw new ScriptArgumentInvalid(`an observer of "${operation}" must be a function`)
    this.#observers.set(operation, [...(this.#observers.get(operation) ?? []), observer])
  }

  removeObserver(operation: string, observer: unknown): boolean {
    const observers = this.#observers.get(operation) ?? []
    this.#observers.set(
      operation,
      observers.filter((each) => each !== observer)
    )
    return observers.some((each) => each === observer)
  }

  clearObservers(operation: string): void {
    this.#observers.delete(operation)
  }

  toJSON(): string {
    return this.id
  }

  toString(): string {
    return this.id
  }

  async #end(operation: 'commit' | 'rollback'): Promise<void> {
    this.#check()
    await this.#notify(`before ${operation}`, operation)
    this.#check()
    this.#isActive = false
    clearTimeout(this.#timer)
    await this.#open[operation]()
    await this.#notify(`after ${operation}`, operation)
  }

  /** An observer of `timeout` that fails leaves the transaction open, as in LoopBack. */
  async #expire(onLateError: (error: unknown) => void): Promise<void> {
    try {
      await this.#notify('timeout', 'timeout')
      if (this.#isActive) await this.#end('rollback')
    } catch (error) {
      onLateError(error)
    }
  }

  async #notify(name: string, operation: Operation): Promise<void> {
    const context: TransactionContext = { transaction: this, operation }
    for (const observer of this.#observers.get(name) ?? []) await callHook(observer, undefined, [context])
  }

  #check(): void {
    if (!this.#isActive) throw new TransactionNotActive(`the transaction is not active: ${this.id}`)
  }
}

const nothing = (): readonly unknown[] => []

/**
 * Implements `beginTransaction` of data sources and models: `{ isolationLevel, timeout }`, or only the level.
 * @throws {NotImplemented} the connector has no transactions
 * @throws {IsolationUnknown} there is no such level
 */
export async function beginScriptTransaction(
  registry: ModelRegistry,
  dataSource: DataSource,
  options: unknown
): Promise<ScriptTransaction> {
  const { isolation, timeout } = readTransactionOptions(options)
  const open = await beginTransaction(registry, dataSource, { isolation })
  return new ScriptTransaction(open, timeout, warnAboutLateRollback)
}

function warnAboutLateRollback(error: unknown): void {
  process.emitWarning(`a transaction could not be rolled back in time: ${String(error)}`, {
    code: 'MODELWIRE_TRANSACTION_TIMEOUT'
  })
}

/**
 * Reads the options of a transaction. LB3: without a level it is READ COMMITTED.
 * @throws {ScriptArgumentInvalid} they are neither a level nor an object
 */
export function readTransactionOptions(options: unknown): { isolation: string; timeout: number | undefined } {
  const isolation = 'READ COMMITTED'
  if (options === undefined || options === null) return { isolation, timeout: undefined }
  if (typeof options === 'string') return { isolation: options, timeout: undefined }
  if (!isPlainObject(options))
    throw new ScriptArgumentInvalid('the options of a transaction must be an isolation level or an object')
  const { isolationLevel, timeout } = options
  const level = typeof isolationLevel === 'string' ? isolationLevel : isolation
  return { isolation: level, timeout: typeof timeout === 'number' && timeout > 0 ? timeout : undefined }
}

type Method = (...args: unknown[]) => Promise<unknown>

/** Wraps data access so that it joins the transaction in its options, the last argument, if there is one. */
export function joiningTransaction(method: Method): Method {
  return function (this: unknown, ...args: unknown[]) {
    const options = args.at(-1)
    const transaction = isPlainObject(options) ? options['transaction'] : undefined
    if (!(transaction instanceof ScriptTransaction)) return method.apply(this, args)
    return transaction.run(async () => method.apply(this, args))
  }
}
