import { fillDefaults, InvalidOption, type WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
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
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 1000,
        unit: 'ms',
        description: 'milliseconds that Redis has for an answer'
      })
    ),
    client: Type.Optional(
      Type.Unsafe<ClientOptions>(
        Type.Object(
          {},
          { additionalProperties: true, description: 'further options of `ioredis`, such as `sentinels` or `tls`' }
        )
      )
    )
  },
  { additionalProperties: false }
)

/** Settings of the shared state in Redis. */
export type RedisStateSettings = Static<typeof RedisStateSettingsSchema>

/** The same with their defaults. */
export type FilledSettings = WithDefaults<typeof RedisStateSettingsSchema>

const schemes: ReadonlySet<string> = new Set(['redis:', 'rediss:'])

/**
 * The settings with their defaults.
 * @throws {InvalidOption} one is unknown or malformed
 */
export function readSettings(settings: unknown): FilledSettings {
  if (!Value.Check(RedisStateSettingsSchema, settings)) {
    const { path = '', message = '' } = Value.Errors(RedisStateSettingsSchema, settings).First() ?? {}
    const key = ['sharedState', ...path.split('/').slice(1)].join('.')
    throw new InvalidOption(`a setting of the shared state in Redis is invalid: ${message}`, { key })
  }
  const filled = fillDefaults(RedisStateSettingsSchema, settings)
  if (URL.canParse(filled.url) && schemes.has(new URL(filled.url).protocol)) return filled
  // It may hold a password.
  throw new InvalidOption('url must be a URL with redis: or rediss:', { key: 'sharedState.url' })
}
