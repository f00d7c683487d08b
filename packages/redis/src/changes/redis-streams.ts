import {
  type Appending,
  type Candidate,
  type ChangeStreamConnection,
  type ChangeTransport,
  type Lease,
  type StreamEntry,
  type StreamListener,
  type StreamTail,
  readPlace,
  writePlace,
  ChangeTransportFailed
} from '@modelwire/changes'
import type { Redis } from 'ioredis'
import { makeBoundedClient, whyUnreachable } from '../client.ts'
import { type FilledSettings, readSettings, type RedisStreamsSettings } from './settings.ts'

/** Takes or renews a lease, and gives it as it is. Keys: lease. Arguments: holder, milliseconds. */
const leaseScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`

/** Gives a lease back. Keys: lease. Arguments: holder. */
const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

/** The mark of a stream's end: the highest id that it ever had. */
const markFunction = `
local function mark()
  if redis.call('EXISTS', KEYS[1]) == 0 then return '' end
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for at = 1, #info, 2 do if info[at] == 'last-generated-id' then return info[at + 1] end end
  return ''
end`

/** The mark of a stream's end, and its last entry. Keys: stream. */
const tailScript = `${markFunction}
return {mark(), redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)}`

/**
 * Appends entries where the lease is the holder's and the end is where the holder saw it, all or none; gives the new mark. An id is the
 * place of its entry: Redis itself refuses one that is not behind the last one. A stream that is emptied begins anew: its ids may be
 * lower ones.
 * Keys: stream, lease. Arguments: holder, mark, whether it is emptied, the longest length, the channel, and for each entry its id, the
 * number of its fields and values, and these.
 */
const appendScript = `${markFunction}
if redis.call('GET', KEYS[2]) ~= ARGV[1] or mark() ~= ARGV[2] then return false end
if ARGV[3] == '1' or redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[1]) end
local at = 6
while at <= #ARGV do
  local count = tonumber(ARGV[at + 1])
  local command = {'XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], ARGV[at]}
  for part = 1, count do command[6 + part] = ARGV[at + 1 + part] end
  redis.call(unpack(command))
  at = at + 2 + count
end
redis.call('PUBLISH', ARGV[5], '')
return mark()`

/**
 * Runs commands.
 * @throws {ChangeTransportFailed}
 */
type OnRedis = <Result>(work: (client: Redis) => Promise<Result>) => Promise<Result>

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An entry as returned by Redis: its id, and alternating fields and values. */
type RawEntry = readonly [string, readonly string[]]

/** Redis holds values of up to 512 MB; an entry is read by all processes at once. */
const maxBytes = 16_000_000

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
    this.#client = makeBoundedClient(settings)
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
    const subscriber = makeBoundedClient(this.#settings)
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
 * Makes a transport that carries changes with one Redis stream per data source.
 * @throws {InvalidOption} a setting is malformed
 */
export function redisStreams(settings: RedisStreamsSettings = {}): ChangeTransport {
  const filled = readSettings(settings)
  return { name: 'Redis Streams', open: (dataSource) => new RedisStream(filled, dataSource) }
}

/** The arguments that write an entry: its id, how many there are, fields and values. */
function writeEntry({ place, texts, row }: StreamEntry): string[] {
  const fields = Object.entries({ ...texts, ...(row !== undefined && { row }) }).flat()
  return [writePlace(place), String(fields.length), ...fields]
}

/** The entry of what Redis gives. */
function readEntry([id, values]: RawEntry): StreamEntry {
  const fields = new Map<string, string>()
  for (let at = 0; at + 1 < values.length; at += 2) fields.set(values[at] ?? '', values[at + 1] ?? '')
  const text = (name: string): string => fields.get(name) ?? ''
  return {
    place: readPlace(id) ?? [0, 0],
    texts: {
      log: text('log'),
      version: text('version'),
      position: text('position'),
      previous: text('previous'),
      kind: text('kind'),
      model: text('model'),
      at: text('at')
    },
    row: fields.get('row')
  }
}

/**
 * Makes the function that carries out commands of a client; what Redis or the client says becomes an error of the transport. Without a
 * connection it says why there is none: the errors of commands name options of the client then. The original is not kept: errors of
 * the client have the arguments of the command, a password among them.
 */
function makeOnRedis(client: Redis): OnRedis {
  const why = whyUnreachable(client)
  return async (work) => {
    try {
      return await work(client)
    } catch (error) {
      const failure = why()
      throw new ChangeTransportFailed(
        failure === undefined ? `Redis: ${textOf(error)}` : `cannot connect to Redis: ${textOf(failure)}`
      )
    }
  }
}
