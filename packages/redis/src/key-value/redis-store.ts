import { InvalidArgument } from '@modelwire/core'
import { type KeyValueStore, KeyValueStoreFailed } from '@modelwire/key-value'
import type { Redis } from 'ioredis'
import type { Packer } from './kv-redis.ts'
import { onRedis } from './redis-errors.ts'

/** The dependencies of a store. */
export interface RedisParts {
  /** Returns the current client. */
  readonly client: () => Redis
  readonly packer: Packer
  /** Prefix of every key. */
  readonly prefix: string
}

/** Characters that mean something in a pattern, as they are. */
const quoted = (text: string): string => text.replaceAll(/[*?[\]\\^]/g, String.raw`\$&`)

/** Keys of one step through the database. */
const step = 500

/**
 * Stores keys and values as LoopBack's connector does, so that each can read what the other wrote.
 * @see loopback-connector-kv-redis, lib/kv-redis.js
 */
export class RedisStore implements KeyValueStore {
  readonly #client: () => Redis
  readonly #packer: Packer
  readonly #prefix: string

  constructor({ client, packer, prefix }: RedisParts) {
    this.#client = client
    this.#packer = packer
    this.#prefix = prefix
  }

  /** LB3: loopback-connector, lib/model-key-composer.js */
  #prefixOf(model: string): string {
    return `${this.#prefix}${encodeURIComponent(model)}:`
  }

  /** Decodes a value, which other programs may have written. */
  #decode(bytes: Buffer): unknown {
    try {
      return this.#packer.decode(bytes)
    } catch (cause) {
      throw new KeyValueStoreFailed('the stored value is not in the format of the packer', { cause })
    }
  }

  #encode(value: unknown): Buffer | string {
    try {
      return this.#packer.encode(value)
    } catch (cause) {
      throw new InvalidArgument('value cannot be stored', { cause })
    }
  }

  async get(model: string, key: string): Promise<unknown> {
    const bytes = await onRedis(() => this.#client().getBuffer(this.#prefixOf(model) + key))
    return bytes === null ? null : this.#decode(bytes)
  }

  async set(model: string, key: string, value: unknown, ttl: number | undefined): Promise<void> {
    const [place, packed] = [this.#prefixOf(model) + key, this.#encode(value)]
    await onRedis(() =>
      ttl === undefined ? this.#client().set(place, packed) : this.#client().set(place, packed, 'PX', ttl)
    )
  }

  async expire(model: string, key: string, ttl: number): Promise<boolean> {
    return (await onRedis(() => this.#client().pexpire(this.#prefixOf(model) + key, ttl))) === 1
  }

  async ttl(model: string, key: string): Promise<number | undefined | null> {
    const left = await onRedis(() => this.#client().pttl(this.#prefixOf(model) + key))
    if (left === -2) return null
    return left === -1 ? undefined : left
  }

  async delete(model: string, key: string): Promise<void> {
    await onRedis(() => this.#client().del(this.#prefixOf(model) + key))
  }

  /** Deletes the keys that exist at the start; others may be added meanwhile. */
  async deleteAll(model: string): Promise<void> {
    for await (const keys of this.#batches(model, '*')) await onRedis(() => this.#client().del(keys))
  }

  async *keys(model: string, match = '*'): AsyncGenerator<string> {
    const { length } = this.#prefixOf(model)
    for await (const keys of this.#batches(model, match)) for (const key of keys) yield key.slice(length)
  }

  /** Lists of keys with their prefix. */
  async *#batches(model: string, match: string): AsyncGenerator<string[]> {
    const pattern = quoted(this.#prefixOf(model)) + match
    let cursor = '0'
    do {
      const [next, keys] = await onRedis(() => this.#client().scan(cursor, 'MATCH', pattern, 'COUNT', step))
      cursor = next
      if (keys.length > 0) yield keys
    } while (cursor !== '0')
  }
}
