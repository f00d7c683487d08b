import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

/** Options of `ops`. */
export const OpsOptionsSchema = Type.Object(
  {
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: "separate port that API clients do not need to reach; by default the routes are on the API's port"
      })
    ),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        default: '127.0.0.1',
        description: 'address of `port`: `0.0.0.0` for probes from other machines'
      })
    ),
    basePath: Type.Optional(Type.String({ pattern: '^(?:/[^/]+)*$', default: '', description: 'prefix of the paths' })),
    metrics: Type.Optional(
      Type.Boolean({
        description: '`/metrics`; by default only with a separate port, since it reveals how the API is used'
      })
    ),
    tracing: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          Type.Object(
            {
              share: Type.Number({
                exclusiveMinimum: 0,
                maximum: 1,
                description: 'fraction of the requests that start a trace; others create no span'
              })
            },
            { additionalProperties: false }
          )
        ],
        {
          default: false,
          description:
            'OpenTelemetry spans for operations and statements; requires the package `@opentelemetry/api`, and an SDK set up by the application'
        }
      )
    ),
    requestIds: Type.Optional(
      Type.Object(
        {
          header: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z0-9-]+$',
              default: 'X-Request-Id',
              description: 'response header that contains the id'
            })
          ),
          accept: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'use the id in this request header: only behind a proxy that sets or checks it'
            })
          )
        },
        {
          additionalProperties: false,
          description:
            'a unique id for each request, in the log as `reqId` and in a response header; `{}` uses these defaults'
        }
      )
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 2,
        unit: 'seconds',
        description: 'in which each dependency of the server must answer'
      })
    ),
    cache: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 1,
        unit: 'seconds',
        description: 'for which a result of `/ready` is cached: more requests do not query databases more often'
      })
    )
  },
  { additionalProperties: false }
)

/** Options of `ops`. */
export type OpsOptions = Static<typeof OpsOptionsSchema>

/** Options of `ops`, with their defaults. */
export type OpsSettings = WithDefaults<typeof OpsOptionsSchema>
