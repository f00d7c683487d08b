import { type SharedStore, readServerSettings, type WithDefaults } from '@modelwire/server'
import type { Redis } from 'ioredis'
import { type Static, Type } from '@sinclair/typebox'
import { connectionSettings, makeBoundedClient, schemes, whyUnreachable } from './client.ts'

/** Settings of the shared state in Redis. */
export const RedisStateSettingsSchema = Type.Object(
  {
    url: connectionSettings.url,
    prefix: Type.Optional(
      Type.String({
        default: 'modelwire:',
        description: 'prefix of every key and channel, different for each application'
      })
    ),
    timeout: connectionSettings.timeout,
    client: connectionSettings.client
  },
  { additionalProperties: false }
)

/** Settings of the shared state in Redis. */
export type RedisStateSettings = Static<typeof RedisStateSettingsSchema>

/** The settings with their defaults. */
type FilledSettings = WithDefaults<typeof RedisStateSettingsSchema>

/**
 * The settings with their defaults.
 * @throws {InvalidOption} one is unknown or malformed
 */
const readSettings = (settings: RedisStateSettings): FilledSettings =>
  readServerSettings(
    RedisStateSettingsSchema,
    settings,
    { name: 'redisState', place: 'sharedState', schemes },
    ({ url }) => [url]
  )

/** There is no connection to Redis. The shared state makes an error of its own of it, which tells clients nothing of this one. */
class RedisUnreachable extends Error {
  override readonly name = 'RedisUnreachable'
}

/** KEYS: the key. ARGV: whether there is an old value, that one, whether there is a new one, that one, milliseconds that it lives. */
const swapScript = `
local value = redis.call('get', KEYS[1])
if ARGV[1] == '1' then
  if value ~= ARGV[2] then return 0 end
elseif value then
  return 0
end
if ARGV[3] == '1' then
  redis.call('set', KEYS[1], ARGV[4], 'PX', ARGV[5])
elseif value then
  redis.call('del', KEYS[1])
end
return 1
`

/** KEYS: the key. ARGV: milliseconds of the window. */
const countScript = `
local count = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if count == 1 or left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }
`

const isThere = (value: string | undefined): '0' | '1' => (value === undefined ? '0' : '1')

/** Redis takes whole milliseconds, at least one. */
const milliseconds = (time: number): number => Math.max(1, Math.ceil(time))

/** Commands are refused while there is no connection. */
const makeClient = (settings: FilledSettings): Redis =>
  makeBoundedClient(settings, { lazyConnect: true, enableOfflineQueue: false })

/** Connects, or leaves it to the client to try again. */
async function begin(client: Redis): Promise<void> {
  await Promise.allSettled([client.connect()])
}

/**
 * Runs commands of a client.
 * @throws {RedisUnreachable} there is no connection; otherwise what the command fails with
 */
type Send = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes the function that says why there is no connection: the errors of commands name options of the client then. */
function makeSend(client: Redis): Send {
  const why = whyUnreachable(client)
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      const failure = why()
      throw failure === undefined ? error : new RedisUnreachable(`cannot connect to Redis: ${failure.message}`)
    }
  }
}

async function end(client: Redis): Promise<void> {
  if (client.status === 'ready') await Promise.allSettled([client.quit()])
  client.disconnect()
}

/** Hears messages. Whenever the connection is a new one, some may have been lost. */
function listenTo(subscriber: Redis, channel: string, { hear, miss }: Parameters<SharedStore['open']>[0]): void {
  const subscribe = async (): Promise<void> => {
    try {
      await subscriber.subscribe(channel)
      miss()
    } catch {
      // Without its channel the connection is of no use: the client makes another one.
      subscriber.disconnect(true)
    }
  }
  subscriber.on('ready', () => void subscribe())
  subscriber.on('message', (_channel, message) => hear(message))
}

/**
 * Makes the store of a shared state in Redis: for the option `sharedState` of `modelwire`.
 * @throws {InvalidOption} a setting is unknown or malformed
 */
export function redisState(given: RedisStateSettings = {}): SharedStore {
  const settings = readSettings(given)
  const { prefix } = settings
  const channel = `${prefix}messages`
  const [client, subscriber] = [makeClient(settings), makeClient(settings)]
  const send = makeSend(client)
  return {
    name: 'redis',
    keepsFacts: true,
    open: async (listener) => {
      listenTo(subscriber, channel, listener)
      await Promise.all([begin(client), begin(subscriber)])
    },
    close: async () => {
      await Promise.all([end(client), end(subscriber)])
    },
    read: (key) => send(async () => (await client.get(prefix + key)) ?? undefined),
    swap: (key, from, to, lifetime) => send(() => swap(client, prefix + key, [from, to], lifetime)),
    count: (key, window) => send(() => count(client, prefix + key, window)),
    publish: async (message) => void (await send(() => client.publish(channel, message)))
  }
}

/** Puts one value in the place of another one, in one step. */
async function swap(
  client: Redis,
  key: string,
  [from, to]: readonly [string | undefined, string | undefined],
  lifetime: number
): Promise<boolean> {
  const values = [isThere(from), from ?? '', isThere(to), to ?? '', milliseconds(lifetime)]
  return (await client.eval(swapScript, 1, key, ...values)) === 1
}

/** Counts one more within a window, in one step. */
async function count(client: Redis, key: string, window: number): ReturnType<NonNullable<SharedStore['count']>> {
  // The script gives two numbers.
  const [hits, left] = (await client.eval(countScript, 1, key, milliseconds(window))) as [number, number]
  return { count: hits, left }
}
