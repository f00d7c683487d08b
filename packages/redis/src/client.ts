import { clientSettings } from '@modelwire/server'
import { Type } from '@sinclair/typebox'
import { Redis, type RedisOptions } from 'ioredis'

/** Options of the client; `replyMapping` would change the replies. */
export type ClientOptions = Omit<RedisOptions, 'replyMapping'>

/** The settings of a connection. */
export const connectionSettings = {
  url: Type.Optional(
    Type.String({
      default: 'redis://127.0.0.1:6379/0',
      description: 'a URL such as `redis://user:password@host:6379/0`'
    })
  ),
  ...clientSettings<ClientOptions>('Redis', 'further options of `ioredis`, such as `sentinels` or `tls`')
}

/** What URLs may begin with. */
export const schemes = ['redis:', 'rediss:']

/** The same settings, read. */
interface ConnectionSettings {
  readonly url: string
  readonly timeout: number
  readonly client?: ClientOptions
}

/** Makes a client. The sender of a command is called with an error; the client itself connects again. */
export function makeClient(url: string | undefined, options: ClientOptions): Redis {
  const client = url === undefined ? new Redis(options) : new Redis(url, options)
  client.on('error', () => undefined)
  return client
}

/** Milliseconds between two attempts to connect, at most. */
const longestPause = 1000

/** Makes a client whose commands fail in bounded time, and are not sent a second time: they might count twice. */
export function makeBoundedClient({ url, timeout, client }: ConnectionSettings, own: ClientOptions = {}): Redis {
  return makeClient(url, {
    protocol: 2, // servers before Redis 6 speak this one only, and nothing here needs the third
    connectTimeout: timeout,
    commandTimeout: timeout,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(times * 50, longestPause),
    ...client,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    ...own
  })
}

/** A client that says whether it has a connection. */
export interface ConnectingClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
}

/**
 * Makes the function that gives why a client has no connection; undefined while it has one. The errors of its commands name options of
 * the client then.
 */
export function whyUnreachable(client: ConnectingClient): () => Error | undefined {
  let failure: Error | undefined
  client.on('error', (error) => {
    failure = error
  })
  client.on('ready', () => {
    failure = undefined
  })
  return () => failure
}
