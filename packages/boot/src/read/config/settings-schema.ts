import { ChangesOptionsSchema } from '@modelwire/changes'
import { problemOf } from '@modelwire/server'
import { type ErrorFunction, RestOptionsSchema } from '@modelwire/rest'
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { ConfigValueInvalid } from '../../errors.ts'
import { LoadSheddingOptionsSchema } from '../../shed-load.ts'
import { ServerTimeoutOptionsSchema } from '../../server-timeouts.ts'
import type { Config } from './read-config.ts'

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
const open = { additionalProperties: true }
const SharedMethods = Type.Record(Type.String(), Type.Boolean())
const Size = Type.Union([Type.Number(), Type.String()])

/** The supported keys of `remoting`; for all of them, null counts as absent. */
export const RemotingSchema = Type.Object(
  {
    context: optional(Type.Unknown()),
    cors: optional(Type.Unknown()),
    rest: optional(
      Type.Object(
        {
          handleErrors: optional(Type.Boolean()),
          handleUnknownPaths: optional(Type.Boolean()),
          normalizeHttpPath: optional(Type.Boolean()),
          xml: optional(Type.Boolean()),
          jsonp: optional(Type.Boolean()),
          supportedTypes: optional(Type.Array(Type.String())),
          arrayItemDelimiters: optional(Type.Array(Type.Unknown())),
          createdStatus: RestOptionsSchema.properties.createdStatus,
          handling: RestOptionsSchema.properties.handling,
          idempotency: RestOptionsSchema.properties.idempotency,
          batch: RestOptionsSchema.properties.batch,
          listETags: RestOptionsSchema.properties.listETags,
          lists: RestOptionsSchema.properties.lists
        },
        open
      )
    ),
    json: optional(Type.Object({ strict: optional(Type.Boolean()), limit: optional(Size) }, open)),
    urlencoded: optional(
      Type.Object(
        { extended: optional(Type.Boolean()), limit: optional(Size), parameterLimit: optional(Type.Integer()) },
        open
      )
    ),
    sharedMethods: optional(SharedMethods),
    answer: optional(
      Type.Object(
        { records: optional(Type.Integer({ minimum: 1 })), bytes: optional(Type.Integer({ minimum: 1 })) },
        { additionalProperties: false }
      )
    ),
    streams: optional(
      Type.Object(
        { perCaller: optional(Type.Integer({ minimum: 1 })), perProcess: optional(Type.Integer({ minimum: 1 })) },
        { additionalProperties: false }
      )
    ),
    errorHandler: optional(
      Type.Union([
        // As if it were not there.
        Type.Literal(false),
        Type.Object(
          {
            disableStackTrace: optional(Type.Boolean()),
            handler: optional(Type.Unsafe<ErrorFunction>(Type.Function([], Type.Unknown())))
          },
          open
        )
      ])
    )
  },
  open
)

/** The supported settings of `config.json`. All others are custom settings of the application. */
export const SettingsSchema = Type.Object(
  {
    restApiRoot: optional(Type.String()),
    host: optional(Type.String()),
    port: optional(Type.Union([Type.Integer({ minimum: 0, maximum: 65535 }), Type.String()])),
    legacyExplorer: optional(Type.Unknown()),
    serverTimeouts: optional(ServerTimeoutOptionsSchema),
    /** Users and access control use secure defaults, not those that LoopBack's clients rely on. */
    strictAccess: optional(Type.Boolean()),
    /** A `${name}` without a value makes startup fail. */
    strictVariables: optional(Type.Boolean()),
    loadShedding: optional(LoadSheddingOptionsSchema),
    /** The name of a data source, or the settings of Redis. */
    sharedState: optional(Type.Union([Type.String(), Type.Object({}, open)])),
    /** Seconds. */
    purgeInterval: optional(Type.Number({ minimum: 0 })),
    /** How change logs are read. */
    changes: optional(ChangesOptionsSchema),
    remoting: optional(RemotingSchema)
  },
  open
)
export type Settings = Static<typeof SettingsSchema>

/** `_meta` of `model-config.json`. */
export const ModelMetaSchema = Type.Object(
  {
    sources: optional(Type.Array(Type.String())),
    mixins: optional(Type.Array(Type.String()))
  },
  open
)

/**
 * Checks a value of a configuration file against its schema.
 * @param path keys that lead to the value, for the error
 * @throws {ConfigValueInvalid} a key has the wrong type
 */
export function checkConfig<Schema extends TObject>(
  schema: Schema,
  value: unknown,
  config: Config,
  path: readonly string[]
): Static<Schema> {
  const problem = problemOf(schema, value)
  if (problem === undefined) return value as Static<Schema> // no error: the value matches the schema
  const [first = problem.path.split('/')[1] ?? ''] = path
  throw new ConfigValueInvalid(`${problem.expected}, found ${shorten(problem.value)}`, {
    file: config.fileOf(first),
    key: [...path, problem.key].filter((key) => key !== '').join('.')
  })
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}
