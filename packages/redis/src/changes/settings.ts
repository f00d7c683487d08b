import { leaseTimeSetting } from '@modelwire/changes'
import { readServerSettings, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { connectionSettings, schemes } from '../client.ts'

/** Settings of Redis Streams as a change transport. */
export const RedisStreamsSettingsSchema = Type.Object(
  {
    url: connectionSettings.url,
    name: Type.Optional(
      Type.String({
        minLength: 1,
        default: 'modelwire:changes',
        description:
          'prefix of keys and channels, different for each application. The stream of the data source `db` is `modelwire:changes:{db}`'
      })
    ),
    maxLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100_000,
        description: 'entries that a stream keeps at least; a reader that was away longer reads the log of the database'
      })
    ),
    leaseTime: leaseTimeSetting,
    timeout: connectionSettings.timeout,
    client: connectionSettings.client
  },
  { additionalProperties: false }
)

/** Settings of Redis Streams as a change transport. */
export type RedisStreamsSettings = Static<typeof RedisStreamsSettingsSchema>

/** The settings with their defaults. */
export type FilledSettings = WithDefaults<typeof RedisStreamsSettingsSchema>

/**
 * The settings with their defaults.
 * @throws {InvalidOption} one is unknown or malformed
 */
export const readSettings = (settings: RedisStreamsSettings): FilledSettings =>
  readServerSettings(RedisStreamsSettingsSchema, settings, { name: 'redisStreams', schemes }, ({ url }) => [url])
