import { type SharedStore, type StoreListener, whyUnreachable } from '@modelwire/core/plugin'
import { Redis } from 'ioredis'
import { RedisUnreachable } from './errors.ts'
import { count, swap } from './commands.ts'
import { type ClientOptions, type FilledSettings, readSettings, type RedisStateSettings } from './settings.ts'

/** Milliseconds between two attempts to connect, at most. */
const longestPause = 1000

/**
 * Commands are refused while there is no connection, and none is sent a second time: it might count twice. The client connects again
 * by itself.
 */
function clientOptions({ timeout, client }: FilledSettings): ClientOptions {
  return {
    connectTimeout: timeout,
    commandTimeout: timeout,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(times * 50, longestPause),
    ...client,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0
  }
}

function makeClient(settings: FilledSettings): Redis {
  const client = new Redis(settings.url, clientOptions(settings))
  // The sender of a command is called with an error; the client itself tries again.
  client.on('error', () => undefined)
  return client
}

/** Connects, or leaves it to the client to try again. */
async function begin(client: Redis): Promise<void> {
  await Promise.allSettled([client.connect()])
}

/** Carries out commands of a client. @throws {RedisUnreachable} there is no connection; otherwise what the command fails with */
type Send = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes the function that says why there is no connection: the errors of commands name options of the client then. */
function makeSend(client: Redis): Send {
  const why = whyUnreachable(client)
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      const failure = why()
      throw failure === undefined ? error : new RedisUnreachable(`Redis cannot be reached: ${failure.message}`)
    }
  }
}

async function end(client: Redis): Promise<void> {
  if (client.status === 'ready') await Promise.allSettled([client.quit()])
  client.disconnect()
}

/** Hears messages. Whenever the connection is a new one, some may have been lost. */
function listenTo(subscriber: Redis, channel: string, { hear, miss }: StoreListener): void {
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
