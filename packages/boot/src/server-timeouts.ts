import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { defaultShutdownTime, fillDefaults, InvalidOption, type WithDefaults } from '@modelwire/core/plugin'

const span = (value: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: value, unit: 'ms', description }))

/** How long clients may take: `serverTimeouts` of `createServer`, and of `config.json`. */
export const ServerTimeoutOptionsSchema = Type.Object(
  {
    request: span(
      120_000,
      'milliseconds in which a request must have arrived with its body, else 408; 0 waits forever'
    ),
    headers: span(
      60_000,
      'milliseconds in which the headers of a request must have arrived, else 408; 0 waits forever'
    ),
    connection: span(
      300_000,
      'milliseconds after which a connection is closed that carries nothing in either direction; 0 keeps it'
    ),
    keepAlive: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 31 - 1,
        default: 72_000,
        unit: 'ms',
        description: 'milliseconds in which the next request of a connection must begin'
      })
    ),
    shutdown: span(
      defaultShutdownTime,
      'milliseconds that running calls have to end in when the server closes; then they are broken off'
    )
  },
  {
    additionalProperties: false,
    description:
      'Also `serverTimeouts` in `config.json`; an option of `createServer` goes before it, an option `fastify` before both.'
  }
)

/** How long clients may take. */
export type ServerTimeoutOptions = Static<typeof ServerTimeoutOptionsSchema>

/** Every limit with its value. */
export type ServerTimeouts = WithDefaults<typeof ServerTimeoutOptionsSchema>

/**
 * The limits of a server: options first, then those of `config.json`, then the defaults.
 * @throws {InvalidOption} an option is not a span of time
 */
export function readServerTimeouts(
  options: ServerTimeoutOptions = {},
  configured: ServerTimeoutOptions = {}
): ServerTimeouts {
  const problem = Value.Errors(ServerTimeoutOptionsSchema, options).First()
  if (problem !== undefined)
    throw new InvalidOption(problem.message.toLowerCase(), {
      key: `serverTimeouts${problem.path.replaceAll('/', '.')}`
    })
  return fillDefaults(ServerTimeoutOptionsSchema, { ...configured, ...options })
}

/** The limits that Fastify takes as options. */
export function timeoutOptions({ request, connection, keepAlive }: ServerTimeouts): FastifyServerOptions {
  return { requestTimeout: request, connectionTimeout: connection, keepAliveTimeout: keepAlive }
}

/** Sets the limit that Fastify has no option for, unless `http` or `https` of the options of Fastify do. */
export function limitHeaderTime({ server }: FastifyInstance, { headers }: ServerTimeouts, own: object): void {
  const servers: readonly unknown[] = [Reflect.get(own, 'http'), Reflect.get(own, 'https')]
  if (servers.some((options) => Reflect.has(Object(options), 'headersTimeout'))) return
  const { requestTimeout } = server
  // Node takes the longer one for the whole request, whichever it is.
  server.headersTimeout = requestTimeout > 0 ? Math.min(headers, requestTimeout) : headers
}
