import type {
  Appending,
  Candidate,
  ChangeStreamConnection,
  ChangeTransport,
  Lease,
  StreamEntry,
  StreamListener,
  StreamTail
} from '@modelwire/changes'
import { Redis } from 'ioredis'
import { type RawEntry, readEntry, writeEntry } from './redis-entries.ts'
import { makeOnRedis, type OnRedis } from './redis-errors.ts'
import { appendScript, leaseScript, releaseScript, tailScript } from './scripts.ts'
import { type FilledSettings, readSettings, type RedisStreamsSettings } from './settings.ts'

/** Redis holds values of up to 512 MB; an entry is read by all processes at once. */
const maxBytes = 16_000_000

/** Milliseconds between two attempts to connect. */
const retryDelay = (attempt: number): number => Math.min(attempt * 50, 1000)

/** A client that connects by itself, again and again. Commands fail in bounded time meanwhile, and are not sent twice. */
function makeClient({ url, timeout, client }: FilledSettings): Redis {
  const made = new Redis(url, {
    protocol: 2,
    connectTimeout: timeout,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: retryDelay,
    autoResubscribe: false,
    ...client,
    ...(client?.commandTimeout === undefined && { commandTimeout: timeout })
  })
  // The sender of a command is called with an error.
  made.on('error', () => undefined)
  return made
}

/** Does what may fail: readers look by themselves once in a while. */
async function ignoreFailure(work: () => Promise<unknown>): Promise<void> {
  await Promise.allSettled([work()])
}

/** The text of a lease that a process holds. */
const holderOf = ({ token, version }: Candidate): string => `${token} ${version}`

/** The stream of one data source. Its keys hash to one node of a cluster. */
class RedisStream implements ChangeStreamConnection {
  readonly leaseTime: number
  readonly #settings: FilledSettings
  readonly #client: Redis
  readonly #onRedis: OnRedis
  readonly #key: string
  #subscriber: Redis | undefined

  constructor(settings: FilledSettings, dataSource: string) {
    this.leaseTime = settings.leaseTime
    this.#settings = settings
    this.#client = makeClient(settings)
    this.#onRedis = makeOnRedis(this.#client)
    this.#key = `${settings.name}:{${dataSource}}`
  }

  get #leaseKey(): string {
    return `${this.#key}:lease`
  }

  get #appendedChannel(): string {
    return `${this.#key}:appended`
  }

  get #announcedChannel(): string {
    return `${this.#key}:announced`
  }

  async maxBytes(): Promise<number> {
    return maxBytes
  }

  async lease(candidate: Candidate): Promise<Lease> {
    const own = holderOf(candidate)
    const holder = String(
      await this.#onRedis((client) => client.eval(leaseScript, 1, this.#leaseKey, own, this.leaseTime))
    )
    return { isMine: holder === own, version: holder.split(' ')[1] ?? '' }
  }

  async release(candidate: Candidate): Promise<void> {
    await this.#onRedis((client) => client.eval(releaseScript, 1, this.#leaseKey, holderOf(candidate)))
  }

  async tail(): Promise<StreamTail> {
    // As the script gives it.
    const [mark, [last]] = (await this.#onRedis((client) => client.eval(tailScript, 1, this.#key))) as [
      string,
      RawEntry[]
    ]
    return { entry: last && readEntry(last), mark }
  }

  async append(entries: readonly StreamEntry[], { candidate, mark, clears }: Appending): Promise<string | undefined> {
    const conditions = [holderOf(candidate), mark, clears ? '1' : '0', this.#settings.maxLength, this.#appendedChannel]
    const written = entries.flatMap(writeEntry)
    const next = await this.#onRedis((client) =>
      client.eval(appendScript, 2, this.#key, this.#leaseKey, ...conditions, ...written)
    )
    return typeof next === 'string' ? next : undefined
  }

  async read(after: readonly [number, number], limit: number): Promise<readonly StreamEntry[]> {
    const id = `${after[0]}-${after[1]}`
    const found = await this.#onRedis((client) => client.xread('COUNT', limit, 'STREAMS', this.#key, id))
    return (found?.[0]?.[1] ?? []).map(readEntry)
  }

  listen({ appended, announced }: StreamListener): void {
    const subscriber = makeClient(this.#settings)
    this.#subscriber = subscriber
    const subscribe = async (): Promise<void> => {
      await subscriber.subscribe(this.#appendedChannel, this.#announcedChannel)
      // What was said before was missed.
      appended()
    }
    subscriber.on('ready', () => void ignoreFailure(subscribe))
    subscriber.on('message', (channel: string) => (channel === this.#appendedChannel ? appended() : announced()))
  }

  announce(): void {
    void ignoreFailure(async () => this.#client.publish(this.#announcedChannel, ''))
  }

  async close(): Promise<void> {
    this.#subscriber?.disconnect()
    this.#client.disconnect()
  }
}

/**
 * Carries changes by a stream of Redis per data source.
 * @throws {InvalidOption} a setting is malformed
 */
export function redisStreams(settings: RedisStreamsSettings = {}): ChangeTransport {
  const filled = readSettings(settings)
  return { name: 'Redis Streams', open: (dataSource) => new RedisStream(filled, dataSource) }
}
