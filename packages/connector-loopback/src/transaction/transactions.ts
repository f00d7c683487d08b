import { AsyncLocalStorage } from 'node:async_hooks'
import { NotImplemented } from '@modelwire/core'
import { type OpenTransaction, readIsolation, type Transaction, TransactionOver } from '@modelwire/core/connector'
import { type Driver, isObject, methodOf, partOf } from '../juggler/driver.ts'
import { callWithCallback } from '../juggler/with-callback.ts'

interface Current {
  /** The value of `options.transaction` in the connector's methods. */
  readonly transaction: object
  isOver: boolean
}

/** How a transaction begins. */
export interface BeginOptions {
  readonly isolation?: string | undefined
}

/** The transactions of one connector. Work finds its own transaction automatically. */
export class Transactions {
  readonly #current = new AsyncLocalStorage<Current>()
  readonly #driver: () => Driver
  readonly #translate: (error: unknown) => unknown

  constructor(driver: () => Driver, translate: (error: unknown) => unknown) {
    this.#driver = driver
    this.#translate = translate
  }

  /**
   * The options for the connector's methods that assign the caller's work to its transaction.
   * @throws {TransactionOver} it has ended
   */
  options(): Record<string, unknown> {
    const current = this.#current.getStore()
    if (current === undefined) return {}
    checkOpen(current)
    return { transaction: current.transaction }
  }

  get isOpen(): boolean {
    return this.#current.getStore() !== undefined
  }

  /** Runs work in a transaction, or in the one that it already belongs to. */
  async run<Result>(work: (transaction: Transaction) => Promise<Result>, options: BeginOptions): Promise<Result> {
    if (this.isOpen) return work({ attempt: 1 })
    const open = await this.begin(options)
    let result: Result
    try {
      result = await open.run(() => work({ attempt: 1 }))
    } catch (error) {
      // The error of the work counts, whatever becomes of the rollback.
      await Promise.allSettled([open.rollback()])
      throw error
    }
    await open.commit()
    return result
  }

  /** Begins a transaction that its caller ends. @throws {NotImplemented} the connector has none */
  async begin({ isolation = 'read committed' }: BeginOptions): Promise<OpenTransaction> {
    const driver = this.#driver()
    const begin = methodOf(driver, 'beginTransaction')
    if (begin === undefined) throw new NotImplemented('the connector has no transactions')
    // LB3: connectors write it into their statements.
    const level = readIsolation(isolation).toUpperCase()
    const [made] = await this.#translated(() => callWithCallback(begin, driver, [level]))
    const current: Current = { transaction: asTransaction(driver, made), isOver: false }
    const end = async (method: 'commit' | 'rollback'): Promise<void> => {
      checkOpen(current)
      current.isOver = true
      const fn = methodOf(driver, method)
      if (fn === undefined) throw new NotImplemented(`the connector has no ${method}`)
      await this.#translated(() => callWithCallback(fn, driver, [partOf(current.transaction, 'connection')]))
    }
    return {
      run: async (work) => {
        checkOpen(current)
        return this.#current.run(current, work)
      },
      commit: () => end('commit'),
      rollback: () => end('rollback')
    }
  }

  async #translated<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw this.#translate(error)
    }
  }
}

/** Some connectors make the object of a transaction, others only its connection. */
function asTransaction(driver: Driver, made: unknown): object {
  if (isObject(made) && partOf(made, 'connection') !== undefined && partOf(made, 'connector') === driver) return made
  return { connector: driver, connection: made }
}

function checkOpen({ isOver }: Current): void {
  if (isOver) throw new TransactionOver('the transaction has already been committed or rolled back')
}
