import { fillDefaults, InvalidOption, isPlainObject, type WithDefaults } from '@modelwire/core/connector'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { RedisOptions } from 'ioredis'

/** The connector's own settings, and those of `ioredis` that have another default here. */
export const KvRedisSettingsSchema = Type.Object({
  url: Type.Optional(
    Type.String({
      description: 'a URL such as `redis://user:password@host:6379/0`; `host`, `port` and `db` do not count then'
    })
  ),
  packer: Type.Optional(
    Type.Union([Type.Literal('binary'), Type.Literal('json')], {
      default: 'binary', // as LoopBack
      description: 'how values are written: MessagePack or JSON'
    })
  ),
  bufferEncoding: Type.Optional(
    Type.Unsafe<BufferEncoding>(
      Type.String({ default: 'base64', description: "how `json` writes buffers: one of Node's encodings" })
    )
  ),
  prefix: Type.Optional(
    Type.String({ description: "text before every key, which LoopBack's connector does not know" })
  ),
  lazyConnect: Type.Optional(
    Type.Boolean({ default: false, description: 'the start does not wait for Redis: the first command connects' })
  ),
  maxRetriesPerRequest: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      default: 3,
      description: 'how often a command is tried on new connections before it fails; null: without end'
    })
  ),
  protocol: Type.Optional(
    Type.Union([Type.Literal(2), Type.Literal(3)], {
      default: 2, // servers before Redis 6 speak this one alone, and nothing here needs the third
      description: "version of Redis' protocol"
    })
  )
})

/** `replyMapping` would change what the store reads. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>

type OwnSettings = Static<typeof KvRedisSettingsSchema>

/** Settings of the connector: its own, and those of `ioredis`. LB3: `keyPrefix` of the client changes nothing. */
export interface KvRedisSettings extends Omit<ClientOptions, keyof OwnSettings>, OwnSettings {}

type FilledSettings = WithDefaults<typeof KvRedisSettingsSchema>

/** The same with their defaults. */
export interface ReadSettings extends Omit<ClientOptions, keyof FilledSettings>, FilledSettings {}

const expected: Readonly<Record<string, string>> = {
  url: 'a URL',
  packer: '"binary" or "json"',
  prefix: 'a string',
  lazyConnect: 'true or false',
  maxRetriesPerRequest: 'an integer from 0, or null',
  protocol: '2 or 3'
}

const invalid = (key: string, what = expected[key] ?? 'valid'): InvalidOption =>
  new InvalidOption(`${key} must be ${what}`, { key })

/**
 * The settings that are set, neither undefined nor empty, and the defaults of the others.
 * @throws {InvalidOption} one is malformed
 */
export function readSettings(settings: unknown): ReadSettings {
  if (!isPlainObject(settings)) throw new InvalidOption('the settings must be an object')
  const present = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== '')
  )
  if (!Value.Check(KvRedisSettingsSchema, present))
    throw invalid(Value.Errors(KvRedisSettingsSchema, present).First()?.path.slice(1) ?? '')
  const { url, bufferEncoding } = present
  if (url !== undefined && !URL.canParse(url)) throw invalid('url')
  if (bufferEncoding !== undefined && !Buffer.isEncoding(bufferEncoding))
    throw invalid('bufferEncoding', 'an encoding of Node')
  return fillDefaults(KvRedisSettingsSchema, present)
}

/** Settings of a data source that mean something else to the client, or nothing. */
const notOfClient = new Set(['connector', 'url', 'packer', 'bufferEncoding', 'replyMapping', 'prefix', 'keyPrefix'])

/**
 * The client's own options among the settings. A data source has a name of its own; the client's is that of the master which its
 * sentinels watch.
 */
export function clientOptions(settings: ReadSettings): ClientOptions {
  const { sentinels } = settings
  const isWatched = Array.isArray(sentinels) && sentinels.length > 0
  const own = Object.entries(settings).filter(([key]) => !notOfClient.has(key) && (isWatched || key !== 'name'))
  return { ...Object.fromEntries(own), lazyConnect: true }
}
