import { fillDefaults, InvalidOption, isPlainObject, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ClientOptions } from '../client.ts'

/** The connector's own settings, and those of `ioredis` that have another default here. */
export const KvRedisSettingsSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        description:
          'a URL such as `redis://user:password@host:6379/0`; `host`, `port` and `db` are ignored if it is set'
      })
    ),
    packer: Type.Optional(
      Type.Union([Type.Literal('binary'), Type.Literal('json')], {
        default: 'binary', // as LoopBack
        description: 'encoding of values: MessagePack or JSON'
      })
    ),
    bufferEncoding: Type.Optional(
      Type.Unsafe<BufferEncoding>(
        Type.String({ default: 'base64', description: "how `json` encodes buffers: one of Node's encodings" })
      )
    ),
    prefix: Type.Optional(Type.String({ description: "prefix of every key; LoopBack's connector has none" })),
    lazyConnect: Type.Optional(
      Type.Boolean({ default: false, description: 'do not wait for Redis at startup: the first command connects' })
    ),
    maxRetriesPerRequest: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        default: 3,
        description: 'how often a command is retried on new connections before it fails; null: no limit'
      })
    ),
    protocol: Type.Optional(
      Type.Union([Type.Literal(2), Type.Literal(3)], {
        default: 2, // servers before Redis 6 speak this one alone, and nothing here needs the third
        description: "version of Redis' protocol"
      })
    )
  },
  { additionalProperties: true, emptyIsAbsent: true }
)

type OwnSettings = Static<typeof KvRedisSettingsSchema>

/** Settings of the connector: its own, and those of `ioredis`. LB3: the client's `keyPrefix` has no effect. */
export interface KvRedisSettings extends Omit<ClientOptions, keyof OwnSettings>, OwnSettings {}

type FilledSettings = WithDefaults<typeof KvRedisSettingsSchema>

/** The settings with their defaults. */
export interface ReadSettings extends Omit<ClientOptions, keyof FilledSettings>, FilledSettings {}

const expected: Readonly<Record<string, string>> = {
  url: 'a URL',
  packer: '"binary" or "json"',
  bufferEncoding: 'an encoding of Node',
  prefix: 'a string',
  lazyConnect: 'true or false',
  maxRetriesPerRequest: 'an integer from 0, or null',
  protocol: '2 or 3'
}

const invalid = (key: string): InvalidOption => new InvalidOption(`${key} must be ${expected[key] ?? 'valid'}`, { key })

/** LB3: null and an empty string count as absent. To the client null means something. */
const isSet = (key: string, value: unknown): boolean =>
  value !== undefined && value !== '' && (value !== null || !(key in expected) || key === 'maxRetriesPerRequest')

/**
 * The settings that are set, and the defaults of the others.
 * @throws {InvalidOption} one is malformed
 */
export function readSettings(settings: unknown): ReadSettings {
  if (!isPlainObject(settings)) throw new InvalidOption('the settings must be an object')
  const present = Object.fromEntries(Object.entries(settings).filter(([key, value]) => isSet(key, value)))
  if (!Value.Check(KvRedisSettingsSchema, present))
    throw invalid(Value.Errors(KvRedisSettingsSchema, present).First()?.path.slice(1) ?? '')
  const { url, bufferEncoding } = present
  if (url !== undefined && !URL.canParse(url)) throw invalid('url')
  if (bufferEncoding !== undefined && !Buffer.isEncoding(bufferEncoding)) throw invalid('bufferEncoding')
  return fillDefaults(KvRedisSettingsSchema, present)
}

/** Settings of a data source that mean something else to the client, or nothing. */
const notOfClient = new Set(['connector', 'url', 'packer', 'bufferEncoding', 'replyMapping', 'prefix', 'keyPrefix'])

/**
 * The client's own options among the settings. `name` is the data source's; the client's is that of the master watched by
 * its sentinels.
 */
export function clientOptions(settings: ReadSettings): ClientOptions {
  const { sentinels } = settings
  const isWatched = Array.isArray(sentinels) && sentinels.length > 0
  const own = Object.entries(settings).filter(([key]) => !notOfClient.has(key) && (isWatched || key !== 'name'))
  return { ...Object.fromEntries(own), lazyConnect: true }
}
