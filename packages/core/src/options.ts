import { Type, type Static } from '@sinclair/typebox'
import type { Connector } from './contract/connector.ts'
import type { ModelDefinition } from './definition/model-definition.ts'
import type { ModelConstructor } from './contract/model-instance.ts'
import type { CallMethod, OfferMethod } from './contract/registry.ts'
import { type SharedStore, defaultShutdownTime } from '@modelwire/server'

/**
 * A connector, alone or with the settings that scripts may read.
 */
export type DataSourceOption =
  | Connector
  | { readonly connector: Connector; readonly settings?: Readonly<Record<string, unknown>> }

type DataSources = Readonly<Record<string, DataSourceOption>>
type ModelDefinitions = readonly ModelDefinition[] | Readonly<Record<string, ModelDefinition>>

const anyFunction = Type.Function([], Type.Unknown())
const connector = Type.Object(
  { name: Type.String(), capabilities: Type.Object({}), collection: anyFunction },
  { title: 'connector' }
)
const store = Type.Object({ name: Type.String(), read: anyFunction, swap: anyFunction }, { title: 'store' })
const settings = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const dataSource = Type.Union(
  [
    connector,
    Type.Object({ connector, settings }, { additionalProperties: false, title: '`{ connector, settings }`' })
  ],
  {
    description: 'a connector, or an object with "connector" and "settings"'
  }
)
// A definition is checked when it is defined.
const definition = Type.Object({ name: Type.String({ description: 'model name' }) }, { title: 'definition' })

/**
 * Options of the plugin `modelwire`.
 * @example
 * ```ts
 * import { CoreOptionsSchema } from '@modelwire/core'
 *
 * const { version, purgeInterval } = CoreOptionsSchema.properties
 * console.log(version.default, purgeInterval.description) // 3 seconds between purges of expired data, such as tokens; 0: never
 * ```
 */
export const CoreOptionsSchema = Type.Object(
  {
    version: Type.Optional(
      Type.Union([Type.Literal(2), Type.Literal(3)], { default: 3, description: 'major version of the wire protocol' })
    ),
    compat: Type.Optional(
      Type.Boolean({ default: false, description: "reproduce LoopBack's responses even where they are not useful" })
    ),
    dataSources: Type.Optional(
      Type.Unsafe<DataSources>(
        Type.Record(Type.String(), dataSource, {
          description: 'data sources by name; a model without a dataSource uses the only one, if there is just one'
        })
      )
    ),
    models: Type.Optional(
      Type.Unsafe<ModelDefinitions>(
        Type.Union([Type.Array(definition), Type.Record(Type.String(), definition)], {
          description: 'model definitions in any order, as a list or by name'
        })
      )
    ),
    changeStreams: Type.Optional(
      Type.Object(
        {
          kept: Type.Optional(
            Type.Integer({
              minimum: 0,
              default: 1000,
              unit: 'events',
              description: 'events kept per model for readers that reconnect'
            })
          ),
          keptFor: Type.Optional(
            Type.Number({
              minimum: 0,
              default: 60,
              unit: 's',
              description: 'seconds that they are kept after the last reader of a model has disconnected'
            })
          ),
          waiting: Type.Optional(
            Type.Integer({
              minimum: 1,
              default: 10_000,
              unit: 'events',
              description: 'events that may be queued for a slow reader'
            })
          )
        },
        { additionalProperties: false, default: {}, description: 'limits for readers of change streams' }
      )
    ),
    sharedState: Type.Optional(
      Type.Unsafe<string | SharedStore>(
        Type.Union([Type.String({ title: 'data source' }), store], {
          description:
            'where processes share attempt counters, rate limits and leases: a store such as that of @modelwire/redis, or the name of a data source; by default each process has its own'
        })
      )
    ),
    purgeInterval: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 300,
        unit: 's',
        description: 'seconds between purges of expired data, such as tokens; 0: never'
      })
    ),
    shutdownTime: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        default: defaultShutdownTime,
        unit: 'ms',
        description: 'milliseconds that running calls may take to finish when the server closes; then they are aborted'
      })
    ),
    modelBase: Type.Optional(
      Type.Unsafe<ModelConstructor>({
        ...anyFunction,
        title: 'class',
        description: 'root class of all models; Model by default'
      })
    ),
    callMethod: Type.Optional(
      Type.Unsafe<CallMethod>({
        ...anyFunction,
        description: 'calls methods for clients: (method, self, args); boot uses it for callbacks'
      })
    ),
    offerMethod: Type.Optional(
      Type.Unsafe<OfferMethod>({
        ...anyFunction,
        description: "wraps a connector's method for calls from code; boot adds callback support"
      })
    )
  },
  { additionalProperties: false }
)

/**
 * Options of the plugin `modelwire`.
 * @example
 * ```ts
 * import { memory } from '@modelwire/connector-memory'
 * import { type CoreOptions, modelwire } from '@modelwire/core'
 * import Fastify from 'fastify'
 *
 * const options: CoreOptions = { dataSources: { db: memory() }, models: [{ name: 'Note' }] }
 * const server = Fastify()
 * await server.register(modelwire, options)
 * console.log(server.models.names()) // [ 'Note' ]
 * ```
 */
export type CoreOptions = Static<typeof CoreOptionsSchema>
