import { leaseTimeSetting } from '../transport/change-transport.ts'
import type { NodeConnectionOptions } from '@nats-io/transport-node'
import { clientSettings, readServerSettings, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

/** Settings of NATS JetStream as a change transport. */
export const NatsJetStreamSettingsSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        default: 'nats://127.0.0.1:4222',
        description:
          'a URL such as `nats://user:password@host:4222`, `nats://token@host` or `tls://host`; separate several with commas'
      })
    ),
    name: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+$',
        default: 'modelwire',
        description:
          'prefix of stream and subject names, different for each application. The stream of the data source `db` is `modelwire-db`, with the subjects `modelwire.db.changes.MODEL`'
      })
    ),
    maxLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100_000,
        description: 'entries that a stream keeps; a reader that was away longer reads the log of the database'
      })
    ),
    maxAge: Type.Optional(
      Type.Number({ minimum: 0, default: 0, unit: 's', description: 'seconds that entries are kept; 0: forever' })
    ),
    replicas: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, default: 1, description: 'servers in a cluster that store the stream' })
    ),
    leaseTime: leaseTimeSetting,
    ...clientSettings<NodeConnectionOptions>('NATS', 'further options of the client, such as `tls` or `authenticator`')
  },
  { additionalProperties: false }
)

/** Settings of NATS JetStream as a change transport. */
export type NatsJetStreamSettings = Static<typeof NatsJetStreamSettingsSchema>

/** The settings with their defaults. */
export type FilledSettings = WithDefaults<typeof NatsJetStreamSettingsSchema>

/** What a URL says of those who connect: the client takes servers without it. */
function credentialsOf({ username, password }: URL): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  if (user === '') return {}
  return pass === '' ? { token: user } : { user, pass }
}

/** The options of the client. */
export function connectionOptions({ url, timeout, client }: FilledSettings): NodeConnectionOptions {
  const urls = url.split(',').map((each) => new URL(each.trim()))
  return {
    servers: urls.map(({ host }) => host),
    timeout,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    ...(urls[0] && credentialsOf(urls[0])),
    ...client
  }
}

/**
 * The settings with their defaults.
 * @throws {InvalidOption} one is unknown or malformed
 */
export const readSettings = (settings: NatsJetStreamSettings): FilledSettings =>
  readServerSettings(
    NatsJetStreamSettingsSchema,
    settings,
    { name: 'natsJetStream', schemes: ['nats:', 'tls:'] },
    ({ url }) => url.split(',').map((each) => each.trim())
  )
