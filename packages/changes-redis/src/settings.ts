import { leaseTimeSetting } from '@modelwire/changes'
import { answerTimeSetting, clientSetting, readServerSettings, type WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { RedisOptions } from 'ioredis'

/** Options of the client; `replyMapping` would change what is read. */
export type ClientOptions = Omit<RedisOptions, 'replyMapping'>

/** Settings of Redis Streams as a transport of changes. */
export const RedisStreamsSettingsSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        default: 'redis://127.0.0.1:6379/0',
        description: 'a URL such as `redis://user:password@host:6379/0`'
      })
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        default: 'modelwire:changes',
        description:
          'what keys and channels begin with: one of its own for each application. The stream of the data source `db` is `modelwire:changes:{db}`'
      })
    ),
    maxLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100_000,
        description: 'entries that a stream keeps at least; who was away longer reads the log of the database'
      })
    ),
    leaseTime: leaseTimeSetting,
    timeout: answerTimeSetting('Redis'),
    client: clientSetting<ClientOptions>('further options of `ioredis`, such as `sentinels` or `tls`')
  },
  { additionalProperties: false }
)

/** Settings of Redis Streams as a transport of changes. */
export type RedisStreamsSettings = Static<typeof RedisStreamsSettingsSchema>

/** The same with their defaults. */
export type FilledSettings = WithDefaults<typeof RedisStreamsSettingsSchema>

/**
 * The settings with their defaults.
 * @throws {InvalidOption} one is unknown or malformed
 */
export const readSettings = (settings: RedisStreamsSettings): FilledSettings =>
  readServerSettings(
    RedisStreamsSettingsSchema,
    settings,
    { name: 'redisStreams', schemes: ['redis:', 'rediss:'] },
    ({ url }) => [url]
  )
