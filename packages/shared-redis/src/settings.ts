import { answerTimeSetting, clientSetting, readServerSettings, type WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { RedisOptions } from 'ioredis'

/** Options of the client; `replyMapping` would change what is read. */
export type ClientOptions = Omit<RedisOptions, 'replyMapping'>

/** Settings of the shared state in Redis. */
export const RedisStateSettingsSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        default: 'redis://127.0.0.1:6379/0',
        description: 'a URL such as `redis://user:password@host:6379/0`'
      })
    ),
    prefix: Type.Optional(
      Type.String({
        default: 'modelwire:',
        description: 'text before every key and channel: one of its own for each application'
      })
    ),
    timeout: answerTimeSetting('Redis'),
    client: clientSetting<ClientOptions>('further options of `ioredis`, such as `sentinels` or `tls`')
  },
  { additionalProperties: false }
)

/** Settings of the shared state in Redis. */
export type RedisStateSettings = Static<typeof RedisStateSettingsSchema>

/** The same with their defaults. */
export type FilledSettings = WithDefaults<typeof RedisStateSettingsSchema>

/**
 * The settings with their defaults.
 * @throws {InvalidOption} one is unknown or malformed
 */
export const readSettings = (settings: RedisStateSettings): FilledSettings =>
  readServerSettings(
    RedisStateSettingsSchema,
    settings,
    { name: 'redisState', place: 'sharedState', schemes: ['redis:', 'rediss:'] },
    ({ url }) => [url]
  )
