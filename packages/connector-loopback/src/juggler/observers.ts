import { type AnyFunction, isFunction } from './driver.ts'
import { callWithCallback } from './with-callback.ts'

/**
 * The observers that loopback-datasource-juggler mixes into every connector, such as `before execute`, which connectors
 * notify around their statements.
 * @see LoopBack 3, loopback-datasource-juggler, lib/observer.js
 */
export class Observers {
  readonly #observers = new Map<string, AnyFunction[]>()

  /** Adds the methods of the interface to `owner`, for connectors that call them on themselves. */
  mixInto(owner: object): void {
    const methods: Record<string, AnyFunction> = {
      observe: (operation, listener) => this.#observe(String(operation), listener),
      removeObserver: (operation, listener) => this.#remove(String(operation), listener),
      clearObservers: (operation) => this.#observers.delete(String(operation)),
      notifyObserversOf: (operation, context, callback) => this.#notify(operation, context, callback),
      notifyObserversAround: (operation, context, work, callback) => this.#around(operation, context, work, callback)
    }
    for (const [name, value] of Object.entries(methods))
      Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  }

  #observe(operation: string, listener: unknown): void {
    if (!isFunction(listener)) throw new TypeError('an observer must be a function')
    this.#observers.set(operation, [...(this.#observers.get(operation) ?? []), listener])
  }

  #remove(operation: string, listener: unknown): boolean {
    const observers = this.#observers.get(operation) ?? []
    const rest = observers.filter((each) => each !== listener)
    this.#observers.set(operation, rest)
    return rest.length < observers.length
  }

  #notify(operation: unknown, context: unknown, callback: unknown): Promise<unknown> | undefined {
    const work = this.#tell(Array.isArray(operation) ? operation.map(String) : [String(operation)], context)
    if (!isFunction(callback)) return work
    void answerWith(callback, work)
    return undefined
  }

  async #tell(operations: readonly string[], context: unknown): Promise<unknown> {
    for (const operation of operations) {
      for (const observer of this.#observers.get(operation) ?? []) await notifyObserver(observer, context)
    }
    return context
  }

  /** Without observers the work is done immediately: the order of a transaction's statements must not change. */
  #around(operation: unknown, context: unknown, work: unknown, callback: unknown): void {
    if (!isFunction(work) || !isFunction(callback)) throw new TypeError('work and callback must be functions')
    const [before, after] = [`before ${String(operation)}`, `after ${String(operation)}`]
    if (!this.#observers.has(before) && !this.#observers.has(after)) {
      // The connector's own work calls back with its result.
      work(context, callback)
      return
    }
    void answerWith(callback, this.#tellAround(before, after, context, work))
  }

  async #tellAround(before: string, after: string, context: unknown, work: AnyFunction): Promise<unknown> {
    await this.#tell([before], context)
    const [result] = await callWithCallback(work, undefined, [context])
    await this.#tell([after], context)
    return result
  }
}

/** One that declares a second parameter calls back; another one is done when it returns, or when its promise is settled. */
async function notifyObserver(observer: AnyFunction, context: unknown): Promise<void> {
  if (observer.length > 1) await callWithCallback(observer, undefined, [context])
  else await observer(context)
}

async function answerWith(callback: AnyFunction, work: Promise<unknown>): Promise<void> {
  let result: unknown
  try {
    result = await work
  } catch (error) {
    process.nextTick(() => callback(error))
    return
  }
  process.nextTick(() => callback(null, result))
}
