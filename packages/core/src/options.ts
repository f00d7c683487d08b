import { Type, type Static } from '@sinclair/typebox'
import type { Connector } from './contract/connector.ts'
import type { ModelDefinition } from './definition/model-definition.ts'
import type { ModelConstructor } from './contract/model-instance.ts'
import type { CallMethod, OfferMethod } from './contract/registry.ts'
import type { SharedStore } from './shared-state/shared-store.ts'
import { defaultShutdownTime } from './shutdown/end-gracefully.ts'

/** A connector, alone or with the settings that scripts may read. */
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

/** Options of the plugin `modelwire`. */
export const CoreOptionsSchema = Type.Object(
  {
    version: Type.Optional(
      Type.Union([Type.Literal(2), Type.Literal(3)], { default: 3, description: 'major version of the wire protocol' })
    ),
    compat: Type.Optional(
      Type.Boolean({ default: false, description: 'answer like LoopBack where its answers help nobody' })
    ),
    dataSources: Type.Optional(
      Type.Unsafe<DataSources>(
        Type.Record(Type.String(), dataSource, {
          description: 'data sources by name; a model without a dataSource gets the only one, where there is one'
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
              description: 'events kept per model for readers who come back'
            })
          ),
          keptFor: Type.Optional(
            Type.Number({
              minimum: 0,
              default: 60,
              unit: 's',
              description: 'seconds after the last reader of a model has left'
            })
          ),
          waiting: Type.Optional(
            Type.Integer({
              minimum: 1,
              default: 10_000,
              unit: 'events',
              description: 'events that may wait for one slow reader'
            })
          )
        },
        { additionalProperties: false, default: {}, description: 'how much is kept for readers of change streams' }
      )
    ),
    sharedState: Type.Optional(
      Type.Unsafe<string | SharedStore>(
        Type.Union([Type.String({ title: 'data source' }), store], {
          description:
            'what the processes of the application share attempts, rates and leases by: a store such as that of @modelwire/shared-redis, or the name of a data source; each process has its own when absent'
        })
      )
    ),
    purgeInterval: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 300,
        unit: 's',
        description: 'seconds between two removals of what is over, such as expired tokens; 0: never'
      })
    ),
    shutdownTime: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        default: defaultShutdownTime,
        unit: 'ms',
        description: 'milliseconds that running calls have to end in when the server closes; then they are broken off'
      })
    ),
    modelBase: Type.Optional(
      Type.Unsafe<ModelConstructor>({
        ...anyFunction,
        title: 'class',
        description: 'root class of all models; Model when absent'
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
        description: 'makes of a method of a connector what code calls on the model; boot adds callbacks'
      })
    )
  },
  { additionalProperties: false }
)
export type CoreOptions = Static<typeof CoreOptionsSchema>
