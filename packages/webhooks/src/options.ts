import type { ResolveName, WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

const secret = Type.String({ minLength: 32 })

/** Which addresses webhooks are sent to. */
const addressOptions = {
  allowPrivateAddresses: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'allow endpoints on this machine and in private networks, on any port and without TLS: for development'
    })
  ),
  allowedHosts: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'hosts that are allowed whatever their addresses and without TLS: `name` on any port, or `name:port`'
    })
  ),
  ports: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
      default: [443, 8443],
      description: 'ports that endpoints may use'
    })
  ),
  lookup: Type.Optional(
    Type.Unsafe<ResolveName>(
      Type.Function([], Type.Unknown(), { description: "resolves host names, instead of `lookup` of Node's `dns`" })
    )
  )
}

/** How messages are sent, and sent again. */
const sendingOptions = {
  concurrency: Type.Optional(
    Type.Integer({ minimum: 1, default: 20, description: 'messages that one process sends concurrently' })
  ),
  concurrencyPerEndpoint: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 5,
      description: 'messages that one process sends concurrently to one endpoint'
    })
  ),
  timeout: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      default: 15,
      unit: 'seconds',
      description: 'in which an endpoint must respond'
    })
  ),
  retries: Type.Optional(
    Type.Array(Type.Number({ minimum: 0 }), {
      default: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      unit: 'seconds',
      description: 'pauses before a message is sent again; after the last attempt its delivery is dead'
    })
  ),
  jitter: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.1,
      description: 'random fraction by which a pause is extended'
    })
  ),
  longestRetryAfter: Type.Optional(
    Type.Number({
      minimum: 0,
      default: 86_400,
      unit: 'seconds',
      description: 'longest pause that an endpoint can request with `Retry-After`'
    })
  ),
  disableAfter: Type.Optional(
    Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Literal(false)], {
      default: 432_000,
      unit: 'seconds',
      description: 'in which an endpoint must accept a message before it is disabled; false: never'
    })
  )
}

/** How the log is read. */
const dispatchOptions = {
  endpointsPerUser: Type.Optional(
    Type.Integer({ minimum: 1, default: 100, description: 'endpoints of one user: each is checked for each change' })
  ),
  callsPerMinute: Type.Optional(
    Type.Integer({ minimum: 1, default: 60, description: 'calls of `test` and `retry` per caller and minute' })
  ),
  run: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'whether this process reads the log and sends messages; false: it only serves the models'
    })
  ),
  interval: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      default: 1,
      unit: 'seconds',
      description: 'between checks of the database for messages that other processes left'
    })
  ),
  lease: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      default: 30,
      unit: 'seconds',
      description: 'after which another process reads the log, if the one that read it was killed'
    })
  ),
  batchSize: Type.Optional(
    Type.Integer({ minimum: 1, default: 200, description: 'changes that are read at a time, in one transaction' })
  ),
  maxPayload: Type.Optional(
    Type.Integer({
      minimum: 256,
      default: 65_536,
      unit: 'bytes',
      description: 'longest message; a longer one only contains the id of the record'
    })
  ),
  keep: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      default: 2_592_000,
      unit: 'seconds',
      description: 'for which deliveries are kept once they are delivered or dead'
    })
  )
}

/** Options of `webhooks`. */
export const WebhooksOptionsSchema = Type.Object(
  {
    dataSource: Type.Optional(
      Type.String({ minLength: 1, description: 'of the webhook models; may be omitted if there is only one' })
    ),
    secret: Type.Optional(
      Type.Union([secret, Type.Array(secret, { minItems: 1 })], {
        description:
          'encrypts the secrets of endpoints in the database; if several, the first encrypts and all decrypt. Without it they are stored unencrypted'
      })
    ),
    rotation: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 86_400,
        unit: 'seconds',
        description: 'for which messages are also signed with the replaced secret'
      })
    ),
    ...addressOptions,
    ...sendingOptions,
    ...dispatchOptions
  },
  { additionalProperties: false }
)

/** Options of `webhooks`. */
export type WebhooksOptions = Static<typeof WebhooksOptionsSchema>

/** Options of `webhooks`, with their defaults. */
export type WebhooksSettings = WithDefaults<typeof WebhooksOptionsSchema>
