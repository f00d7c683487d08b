import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { type Static, Type } from '@sinclair/typebox'
import { defaultShutdownTime, fillDefaults, InvalidOption, problemOf, type WithDefaults } from '@modelwire/server'

const span = (value: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: value, unit: 'ms', description }))

/** Time limits for clients: `serverTimeouts` of `createServer`, and of `config.json`. */
export const ServerTimeoutOptionsSchema = Type.Object(
  {
    request: span(120_000, 'milliseconds within which a request must arrive with its body, else 408; 0: no limit'),
    headers: span(60_000, 'milliseconds within which the headers of a request must arrive, else 408; 0: no limit'),
    connection: span(300_000, 'milliseconds of inactivity after which a connection is closed; 0: never'),
    keepAlive: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 31 - 1,
        default: 72_000,
        unit: 'ms',
        description: 'milliseconds within which the next request on a connection must begin'
      })
    ),
    shutdown: span(
      defaultShutdownTime,
      'milliseconds that running calls may take to finish when the server closes; then they are aborted'
    )
  },
  {
    additionalProperties: false,
    description:
      'Also `serverTimeouts` in `config.json`; an option of `createServer` takes precedence over it, and the option `fastify` over both.'
  }
)

/** Time limits for clients. */
export type ServerTimeoutOptions = Static<typeof ServerTimeoutOptionsSchema>

/** All limits with their values. */
export type ServerTimeouts = WithDefaults<typeof ServerTimeoutOptionsSchema>

/**
 * The limits of a server: options first, then those of `config.json`, then the defaults.
 * @throws {InvalidOption} an option is not a span of time
 */
export function readServerTimeouts(
  options: ServerTimeoutOptions = {},
  configured: ServerTimeoutOptions = {}
): ServerTimeouts {
  const problem = problemOf(ServerTimeoutOptionsSchema, options)
  if (problem !== undefined) throw new InvalidOption(problem.expected, { key: `serverTimeouts.${problem.key}` })
  return fillDefaults(ServerTimeoutOptionsSchema, { ...configured, ...options })
}

/** The limits that Fastify takes as options. */
export function timeoutOptions({ request, connection, keepAlive }: ServerTimeouts): FastifyServerOptions {
  return { requestTimeout: request, connectionTimeout: connection, keepAliveTimeout: keepAlive }
}

/** Sets the limit that Fastify has no option for, unless Fastify's option `http` or `https` does. */
export function limitHeaderTime({ server }: FastifyInstance, { headers }: ServerTimeouts, own: object): void {
  const servers: readonly unknown[] = [Reflect.get(own, 'http'), Reflect.get(own, 'https')]
  if (servers.some((options) => Reflect.has(Object(options), 'headersTimeout'))) return
  const { requestTimeout } = server
  // Node takes the longer one for the whole request, whichever it is.
  server.headersTimeout = requestTimeout > 0 ? Math.min(headers, requestTimeout) : headers
}
