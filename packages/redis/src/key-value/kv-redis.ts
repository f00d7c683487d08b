import { KeyValueConnector } from '@modelwire/key-value'
import type { Redis } from 'ioredis'
import { makeClient } from '../client.ts'
import { onRedis } from './redis-errors.ts'
import { RedisStore } from './redis-store.ts'
import { clientOptions, type KvRedisSettings, readSettings, type ReadSettings } from './settings.ts'
import msgpack5 from 'msgpack5'

/** Encodes values as bytes or strings, and decodes them. */
export interface Packer {
  readonly encode: (value: unknown) => Buffer | string
  readonly decode: (bytes: Buffer) => unknown
}

/** The result of the packer: a list of buffers. */
interface BufferList {
  slice(): Buffer
}

const encodeDate = (date: Date): Buffer => Buffer.from(date.toISOString(), 'utf8')

const decodeDate = (bytes: Buffer): Date => new Date(bytes.toString('utf8'))

const isoDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d*(?:Z|[+-][\d:]*)?$/

interface WrittenBuffer {
  readonly type: 'Buffer'
  readonly data: string
}

const isWrittenBuffer = (value: unknown): value is WrittenBuffer =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'Buffer' &&
  'data' in value &&
  typeof value.data === 'string'

const makePacker = ({ packer, bufferEncoding }: ReadSettings): Packer =>
  packer === 'json' ? jsonPacker(bufferEncoding) : binaryPacker()

/** A client that has not connected yet. */
const openClient = (settings: ReadSettings): Redis => makeClient(settings.url, clientOptions(settings))

class RedisKeyValueConnector extends KeyValueConnector {
  readonly name = 'kv-redis'
  readonly #connection: { client: Redis }
  readonly #settings: ReadSettings

  constructor(settings: ReadSettings) {
    const connection = { client: openClient(settings) }
    super(
      new RedisStore({ client: () => connection.client, packer: makePacker(settings), prefix: settings.prefix ?? '' })
    )
    this.#connection = connection
    this.#settings = settings
  }

  /** The client, for what the methods of models cannot do. `connect` makes a new one after `disconnect`. */
  get client(): Redis {
    return this.#connection.client
  }

  async connect(): Promise<void> {
    if (this.client.status === 'end') this.#connection.client = openClient(this.#settings)
    if (this.#settings.lazyConnect || this.client.status !== 'wait') return
    try {
      await onRedis(() => this.client.connect())
    } catch (error) {
      this.#leaveClient().disconnect()
      throw error
    }
  }

  /** Puts a client in its place that refuses commands: one that failed to connect would let them wait for ever. */
  #leaveClient(): Redis {
    const { client } = this
    const closed = openClient(this.#settings)
    closed.disconnect()
    this.#connection.client = closed
    return client
  }

  async disconnect(): Promise<void> {
    const client = this.#leaveClient()
    if (client.status === 'ready') await client.quit()
    else client.disconnect()
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
 * Makes a connector that stores keys and values in Redis.
 * @throws {InvalidOption} a setting is malformed
 * @see loopback-connector-kv-redis
 */
export function kvRedis(settings: Readonly<Record<string, unknown>> & KvRedisSettings = {}): RedisKeyValueConnector {
  return new RedisKeyValueConnector(readSettings(settings))
}

export type { RedisKeyValueConnector }

/** LB3: MessagePack with a custom type for dates; loopback-connector, lib/binary-packer.js. */
export function binaryPacker(): Packer {
  const packer = msgpack5({ forceFloat64: true }).register(1, Date, encodeDate, decodeDate)
  return {
    encode: (value) => (packer.encode(value) as unknown as BufferList).slice(), // the types of its package are not there
    decode: (bytes) => packer.decode(bytes) as unknown // whatever was stored
  }
}

/** LB3: JSON, with buffers as strings, and dates recognized by their form; loopback-connector, lib/json-string-packer.js. */
export function jsonPacker(encoding: BufferEncoding): Packer {
  // JSON calls `toJSON` first: only the object around it has the buffer itself.
  function write(this: unknown, key: string, value: unknown): unknown {
    const own: unknown = Reflect.get(Object(this) as object, key) // an object is made of anything
    return Buffer.isBuffer(own) ? { type: 'Buffer', data: own.toString(encoding) } : value
  }
  const read = (_key: string, value: unknown): unknown => {
    if (isWrittenBuffer(value)) return Buffer.from(value.data, encoding)
    return typeof value === 'string' && isoDate.test(value) ? new Date(value) : value
  }
  return {
    encode: (value) => JSON.stringify(value, write) ?? 'null',
    decode: (bytes) => JSON.parse(bytes.toString('utf8'), read) as unknown // whatever was stored
  }
}
