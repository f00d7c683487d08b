import type { WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Options of `ops`. */
export const OpsOptionsSchema = Type.Object(
  {
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          'a port of its own, which no client of the API has to reach; the routes are at that of the API when absent'
      })
    ),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        default: '127.0.0.1',
        description: 'address of `port`: `0.0.0.0` for probes from other machines'
      })
    ),
    basePath: Type.Optional(
      Type.String({ pattern: '^(?:/[^/]+)*$', default: '', description: 'what stands before the paths' })
    ),
    metrics: Type.Optional(
      Type.Boolean({
        description: '`/metrics`; with a port of its own when absent, since it tells how the API is used'
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
                description: 'share of the requests that begin a trace; others cost no span'
              })
            },
            { additionalProperties: false }
          )
        ],
        {
          default: false,
          description:
            'spans of OpenTelemetry for operations and statements; needs the package `@opentelemetry/api`, and an SDK that the application sets up'
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
              description: 'header that answers have the id in'
            })
          ),
          accept: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                'the id that a request brings in this header is taken over: only behind a proxy that sets or checks it'
            })
          )
        },
        {
          additionalProperties: false,
          description:
            'an id for each request that no other process gives, in the log as `reqId` and in a header of the answer; `{}` has these defaults'
        }
      )
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 2,
        unit: 'seconds',
        description: 'in which each part that the server depends on has to answer'
      })
    ),
    cache: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 1,
        unit: 'seconds',
        description: 'for which an answer of `/ready` holds: more requests do not ask databases more often'
      })
    )
  },
  { additionalProperties: false }
)

/** Options of `ops`. */
export type OpsOptions = Static<typeof OpsOptionsSchema>

/** Options of `ops`, with their defaults. */
export type OpsSettings = WithDefaults<typeof OpsOptionsSchema>
