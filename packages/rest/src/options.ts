import type { ErrorFunction } from './output/delegate-to-handler.ts'
import type { FastifyCorsOptions } from '@fastify/cors'
import { defaultQueryLimits, ListSettingsSchema, type WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { BatchOptionsSchema } from './batch/batch-options.ts'
import { BodyOptionsSchema } from './input/body-options.ts'

/** Unknown names are refused: an option that is misspelt must not be ignored. */
const closed = { additionalProperties: false } as const

const Delimiter = Type.Union([
  Type.String(),
  Type.Unsafe<RegExp>(Type.Object({ source: Type.String(), flags: Type.String() }, { title: 'regular expression' }))
])

/** How errors are reported. The names are those of strong-error-handler. */
export const ErrorOptionsSchema = Type.Object(
  {
    debug: Type.Optional(Type.Boolean({ default: false, description: 'show all properties and the stack' })),
    log: Type.Optional(Type.Boolean({ default: true, description: "log errors through the server's logger" })),
    safeFields: Type.Optional(Type.Array(Type.String(), { description: 'properties of 5xx errors that may be shown' })),
    rootProperty: Type.Optional(
      Type.Union([Type.String(), Type.Literal(false)], {
        default: 'error',
        description: 'the member of the body that holds the error; false: none'
      })
    ),
    negotiateContentType: Type.Optional(
      Type.Boolean({ default: true, description: 'answer in the format that Accept asks for' })
    ),
    defaultType: Type.Optional(
      Type.String({ default: 'json', description: 'json, html or xml, where Accept asks for none of them' })
    ),
    handler: Type.Optional(
      Type.Unsafe<ErrorFunction>(
        Type.Function([], Type.Unknown(), {
          description:
            'answers errors first, as (error, req, res, next) of Express; next leaves the answer to this plugin'
        })
      )
    ),
    disableStackTrace: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'version 2: leave the stack out, as always in production (NODE_ENV)'
      })
    ),
    inVersion3: Type.Optional(
      Type.Boolean({ default: false, description: 'version 2: answer errors in the shape of version 3' })
    )
  },
  { ...closed, default: {} }
)

/** How errors are answered and logged. */
export type ErrorOptions = Static<typeof ErrorOptionsSchema>

/** The same with their defaults. */
export type ErrorSettings = WithDefaults<typeof ErrorOptionsSchema>

const QueryOptionsSchema = Type.Object(
  {
    length: Type.Optional(
      Type.Integer({ minimum: 1, default: 65_536, unit: 'characters', description: 'characters of a query string' })
    ),
    parameters: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 1000,
        unit: 'parameters',
        description: 'parameters of a query string; more are ignored'
      })
    ),
    depth: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: defaultQueryLimits.depth,
        unit: 'levels',
        description: 'levels of and, or and nor in a filter'
      })
    ),
    conditions: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: defaultQueryLimits.conditions,
        unit: 'conditions',
        description: 'conditions of a filter, every operator one'
      })
    ),
    listItems: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: defaultQueryLimits.listItems,
        unit: 'items',
        description: 'items of a list in a filter'
      })
    )
  },
  { ...closed, default: {} }
)

const AnswerOptionsSchema = Type.Object(
  {
    records: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 10_000,
        unit: 'records',
        description: 'records of an answer, each included one counted as often as it lies in it'
      })
    ),
    bytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 16_777_216,
        unit: 'bytes',
        description: 'bytes of an answer, and of what a database sends for it'
      })
    )
  },
  { ...closed, default: {} }
)

const StreamOptionsSchema = Type.Object(
  {
    heartbeat: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, default: 25, unit: 's', description: 'seconds between signs of life' })
    ),
    recheck: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 30,
        unit: 's',
        description: 'seconds between checks that callers may still listen'
      })
    )
  },
  { ...closed, default: {} }
)

/** How keys of requests are kept. */
export const IdempotencyOptionsSchema = Type.Object(
  {
    dataSource: Type.Optional(
      Type.String({ description: 'data source of the model IdempotencyKey, where the application defines none' })
    ),
    keep: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 86_400,
        unit: 's',
        description: 'how long keys and answers are kept'
      })
    ),
    lock: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 60,
        unit: 's',
        description: 'after which time a request that has no answer is taken for broken off'
      })
    ),
    bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 65_536,
        unit: 'bytes',
        description: 'of an answer that is kept; of a longer one the status is'
      })
    ),
    callerKeys: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100_000,
        unit: 'keys',
        description: 'new keys of a caller, or of the network of callers without a token, within `keep`'
      })
    ),
    callerBytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 16_777_216,
        unit: 'bytes',
        description: 'of the answers that are kept for one of these within `keep`; beyond that their status is'
      })
    )
  },
  closed
)

/** Options of the plugin `rest`, besides Fastify's `prefix`. */
export const RestOptionsSchema = Type.Composite(
  [
    BodyOptionsSchema,
    Type.Object({
      sharedMethods: Type.Optional(
        Type.Record(Type.String(), Type.Boolean(), {
          description:
            'method name to exposure, for all models; * is the default of all but those that change many records'
        })
      ),
      supportedTypes: Type.Optional(
        Type.Array(Type.String(), {
          description: 'media types to answer in, instead of JSON, JavaScript and, with answersXml, XML'
        })
      ),
      answersJsonp: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'answer as a script to a GET that names a callback, as LoopBack does: pages of any site can read it'
        })
      ),
      answersXml: Type.Optional(Type.Boolean({ default: false, description: 'offer XML answers' })),
      arrayItemDelimiters: Type.Optional(
        Type.Array(Delimiter, { description: 'texts that separate the items of a list in a query' })
      ),
      normalizeHttpPath: Type.Optional(
        Type.Boolean({ default: false, description: 'paths in lower case with dashes' })
      ),
      cors: Type.Optional(
        Type.Union([Type.Boolean(), Type.Unsafe<FastifyCorsOptions>(Type.Object({}))], {
          description: 'true for every origin, or options of @fastify/cors; without it, on in version 2 alone'
        })
      ),
      errors: Type.Optional(ErrorOptionsSchema),
      notFound: Type.Optional(
        Type.Boolean({
          default: true,
          description: "answer unknown paths below the prefix; never at the server's root"
        })
      ),
      createdStatus: Type.Optional(
        Type.Union([Type.Literal(200), Type.Literal(201)], {
          default: 200,
          description: 'answer to operations that create a record; 201 comes with its Location'
        })
      ),
      query: Type.Optional(QueryOptionsSchema),
      answer: Type.Optional(AnswerOptionsSchema),
      listETags: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'give lists weak entity tags, so that a client which has the same list gets 304 without a body'
        })
      ),
      lists: Type.Optional(
        Type.Object(ListSettingsSchema.properties, {
          ...closed,
          default: {},
          description: "how clients get lists of all models; a model's own setting of this name takes precedence"
        })
      ),
      handling: Type.Optional(
        Type.Union([Type.Literal('lenient'), Type.Literal('strict')], {
          default: 'lenient',
          description:
            'strict: refuse unknown parameters of queries, keys of filters and, of strict models, properties in them'
        })
      ),
      idempotency: Type.Optional(
        Type.Union([Type.Boolean(), IdempotencyOptionsSchema], {
          default: false,
          description: 'carry out POST and PATCH with an Idempotency-Key once, and give their answer again'
        })
      ),
      batch: Type.Optional(
        Type.Union([Type.Boolean(), BatchOptionsSchema], {
          default: false,
          description: 'answer batches of requests, and requests about many records of a model'
        })
      ),
      streams: Type.Optional(StreamOptionsSchema)
    })
  ],
  closed
)
export type RestOptions = Static<typeof RestOptionsSchema>

/** The options with their defaults. */
export type RestSettings = WithDefaults<typeof RestOptionsSchema>
