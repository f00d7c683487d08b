import { NotImplemented } from '@modelwire/core'
import type { KeyValueStore } from '@modelwire/key-value'
import { type Driver, methodOf } from '../juggler/driver.ts'
import { callWithCallback } from '../juggler/with-callback.ts'

/**
 * A key-value connector of LoopBack as a store.
 * @see LoopBack 3, loopback-datasource-juggler, lib/kvao and lib/connectors/kv-memory.js
 */
export class KeyValueDriver implements KeyValueStore {
  readonly #driver: Driver

  constructor(driver: Driver) {
    this.#driver = driver
  }

  async get(model: string, key: string): Promise<unknown> {
    return (await this.#call('get', model, key, {})) ?? null
  }

  async set(model: string, key: string, value: unknown, ttl: number | undefined): Promise<void> {
    await this.#call('set', model, key, value, ttl === undefined ? {} : { ttl })
  }

  /** A connector refuses a key that it does not know by an error of its own. */
  async expire(model: string, key: string, ttl: number): Promise<boolean> {
    await this.#call('expire', model, key, ttl, {})
    return true
  }

  async ttl(model: string, key: string): Promise<number | undefined | null> {
    const left = await this.#call('ttl', model, key, {})
    return typeof left === 'number' ? left : undefined
  }

  async delete(model: string, key: string): Promise<void> {
    await this.#call('delete', model, key, {})
  }

  async deleteAll(model: string): Promise<void> {
    if (methodOf(this.#driver, 'deleteAll') !== undefined) await this.#call('deleteAll', model, {})
    else for await (const key of this.keys(model, undefined)) await this.delete(model, key)
  }

  async *keys(model: string, match: string | undefined): AsyncIterable<string> {
    const iterator = this.#method('iterateKeys').call(this.#driver, model, match === undefined ? {} : { match }, {})
    const next = methodOf(iterator, 'next')
    if (next === undefined) throw lacking('an iterator of keys')
    for (;;) {
      const [key] = await callWithCallback(next, iterator, [])
      if (typeof key !== 'string') return
      yield key
    }
  }

  async #call(name: string, ...args: readonly unknown[]): Promise<unknown> {
    const [result] = await callWithCallback(this.#method(name), this.#driver, args)
    return result
  }

  #method(name: string): NonNullable<ReturnType<typeof methodOf>> {
    const method = methodOf(this.#driver, name)
    if (method === undefined) throw lacking(name)
    return method
  }
}

const lacking = (what: string): NotImplemented => new NotImplemented(`the connector has no ${what}`)
