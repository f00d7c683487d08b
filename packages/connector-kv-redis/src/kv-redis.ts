import { InvalidOption, isPlainObject } from '@modelwire/core'
import { KeyValueConnector } from '@modelwire/key-value'
import { Redis, type RedisOptions } from 'ioredis'
import { binaryPacker, jsonPacker, type Packer } from './pack-value.ts'
import { onRedis } from './redis-errors.ts'
import { RedisStore } from './redis-store.ts'

type ClientOptions = Omit<RedisOptions, 'replyMapping'>

/** Settings of the connector: those of `ioredis`, and its own. */
export interface KvRedisSettings extends ClientOptions {
  /** An address such as `redis://user:password@host:6379/0`; `host`, `port` and `db` do not count then. */
  readonly url?: string
  /** How values are written. Default `binary`: MessagePack. */
  readonly packer?: 'binary' | 'json'
  /** Stands before every key. LB3: `keyPrefix` of the client changes nothing. */
  readonly prefix?: string
  /** How `json` writes buffers. Default `base64`. */
  readonly bufferEncoding?: BufferEncoding
}

function makePacker({ packer = 'binary', bufferEncoding = 'base64' }: KvRedisSettings): Packer {
  if (!Buffer.isEncoding(bufferEncoding))
    throw new InvalidOption('bufferEncoding is not an encoding of Node', { key: 'bufferEncoding' })
  if (packer === 'json') return jsonPacker(bufferEncoding)
  if (packer === 'binary') return binaryPacker()
  throw new InvalidOption('packer must be "binary" or "json"', { key: 'packer' })
}

function prefixOf({ prefix = '' }: KvRedisSettings): string {
  if (typeof prefix === 'string') return prefix
  throw new InvalidOption('prefix must be a string', { key: 'prefix' })
}

/** How often a command is tried on new connections before it fails. */
const retries = 3

/** Settings of a data source that mean something else to the client. */
const notOfClient = new Set([
  'name',
  'connector',
  'url',
  'packer',
  'bufferEncoding',
  'lazyConnect',
  'replyMapping',
  'prefix',
  'keyPrefix'
])

function makeClient(settings: KvRedisSettings): Redis {
  const own = Object.entries(settings).filter(([key, value]) => !notOfClient.has(key) && value !== '')
  // Servers before Redis 6 speak the second protocol alone, and nothing here needs the third.
  const usual: ClientOptions = { maxRetriesPerRequest: retries, protocol: 2 }
  const options: ClientOptions = { ...usual, ...Object.fromEntries(own), lazyConnect: true }
  const { url } = settings
  if (url === undefined || url === '') return new Redis(options)
  if (URL.canParse(url)) return new Redis(url, options)
  throw new InvalidOption('url is no address', { key: 'url' })
}

class RedisKeyValueConnector extends KeyValueConnector {
  readonly name = 'kv-redis'
  /** The client, for what the methods of models cannot do. */
  readonly client: Redis
  readonly #lazy: boolean

  constructor(client: Redis, store: RedisStore, lazy: boolean) {
    super(store)
    this.client = client
    this.#lazy = lazy
    // Whoever sends a command hears of it; the client itself tries again.
    client.on('error', () => undefined)
  }

  async connect(): Promise<void> {
    if (this.#lazy || this.client.status !== 'wait') return
    try {
      await onRedis(() => this.client.connect())
    } catch (error) {
      this.client.disconnect()
      throw error
    }
  }

  async disconnect(): Promise<void> {
    if (this.client.status === 'ready') await this.client.quit()
    else this.client.disconnect()
  }

  async ping(): Promise<void> {
    await onRedis(() => this.client.ping())
  }

  /** Carries out any command, and gives its answer with texts as bytes. */
  async execute(command: string, args: readonly (string | Buffer | number)[] = []): Promise<unknown> {
    return onRedis(async () => this.client.callBuffer(command, ...args))
  }
}

/**
 * A connector that keeps keys and values in Redis.
 * @throws {InvalidOption} a setting is malformed
 * @see loopback-connector-kv-redis
 */
export function kvRedis(settings: Readonly<Record<string, unknown>> & KvRedisSettings = {}): RedisKeyValueConnector {
  if (!isPlainObject(settings)) throw new InvalidOption('the settings must be an object')
  const packer = makePacker(settings)
  const client = makeClient(settings)
  const store = new RedisStore({ client, packer, prefix: prefixOf(settings) })
  return new RedisKeyValueConnector(client, store, settings.lazyConnect === true)
}

export type { RedisKeyValueConnector }
