import { KeyValueConnector } from '@modelwire/key-value'
import { Redis } from 'ioredis'
import { binaryPacker, jsonPacker, type Packer } from './pack-value.ts'
import { onRedis } from './redis-errors.ts'
import { RedisStore } from './redis-store.ts'
import { clientOptions, type KvRedisSettings, readSettings, type ReadSettings } from './settings.ts'

const makePacker = ({ packer, bufferEncoding }: ReadSettings): Packer =>
  packer === 'json' ? jsonPacker(bufferEncoding) : binaryPacker()

/** A client that has not connected yet. */
function makeClient(settings: ReadSettings): Redis {
  const { url } = settings
  const options = clientOptions(settings)
  const client = url === undefined ? new Redis(options) : new Redis(url, options)
  // The sender of a command is called with an error; the client itself tries again.
  client.on('error', () => undefined)
  return client
}

class RedisKeyValueConnector extends KeyValueConnector {
  readonly name = 'kv-redis'
  readonly #connection: { client: Redis }
  readonly #settings: ReadSettings

  constructor(settings: ReadSettings) {
    const connection = { client: makeClient(settings) }
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
    if (this.client.status === 'end') this.#connection.client = makeClient(this.#settings)
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
    const closed = makeClient(this.#settings)
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
 * A connector that keeps keys and values in Redis.
 * @throws {InvalidOption} a setting is malformed
 * @see loopback-connector-kv-redis
 */
export function kvRedis(settings: Readonly<Record<string, unknown>> & KvRedisSettings = {}): RedisKeyValueConnector {
  return new RedisKeyValueConnector(readSettings(settings))
}

export type { RedisKeyValueConnector }
