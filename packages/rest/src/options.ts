import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyCorsOptions } from '@fastify/cors'
import { defaultQueryLimits, ListSettingsSchema } from '@modelwire/core/plugin'
import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { BodyOptionsSchema } from './body-options.ts'

/** Unknown names are refused: an option that is misspelt must not be ignored. */
const closed = { additionalProperties: false } as const

const Delimiter = Type.Union([
  Type.String(),
  Type.Unsafe<RegExp>(Type.Object({ source: Type.String(), flags: Type.String() }, { title: 'regular expression' }))
])

/** Handles an error itself, or passes it on with `next`: an Express error handler. */
export type ErrorFunction = (
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void
) => unknown

/** Options of batches. */
export const BatchOptionsSchema = Type.Object(
  {
    path: Type.Optional(
      Type.String({ pattern: '^/[^:*]+$', default: '/batch', description: 'path of batches, relative to the prefix' })
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100,
        unit: 'requests',
        description: 'maximum requests of a batch, and records of a bulk request'
      })
    ),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 30,
        unit: 's',
        description: 'how long an atomic batch may take before it is rolled back'
      })
    )
  },
  { additionalProperties: false }
)

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
      Type.Boolean({ default: true, description: 'return errors in the format that Accept asks for' })
    ),
    defaultType: Type.Optional(
      Type.String({ default: 'json', description: 'json, html or xml, if Accept asks for none of them' })
    ),
    handler: Type.Optional(
      Type.Unsafe<ErrorFunction>(
        Type.Function([], Type.Unknown(), {
          description: 'handles errors first, as (error, req, res, next) of Express; next falls back to this plugin'
        })
      )
    ),
    disableStackTrace: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'version 2: omit the stack, as always in production (NODE_ENV)'
      })
    ),
    inVersion3: Type.Optional(
      Type.Boolean({ default: false, description: 'version 2: return errors in the shape of version 3' })
    )
  },
  { ...closed, default: {} }
)

/** How errors are returned and logged. */
export type ErrorOptions = Static<typeof ErrorOptionsSchema>

/** The options with their defaults. */
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
        description: 'conditions of a filter; every operator counts as one'
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
        description: 'records of a response; each included one counts as often as it occurs'
      })
    ),
    bytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 16_777_216,
        unit: 'bytes',
        description: 'bytes of a response, and of what a database sends for it'
      })
    )
  },
  { ...closed, default: {} }
)

const StreamOptionsSchema = Type.Object(
  {
    heartbeat: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, default: 25, unit: 's', description: 'seconds between keep-alive comments' })
    ),
    recheck: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 30,
        unit: 's',
        description: 'seconds between checks that callers may still read'
      })
    ),
    perCaller: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100,
        unit: 'streams',
        description: 'that one caller, or one network of callers without a token, may have open in one process'
      })
    ),
    perProcess: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 10_000,
        unit: 'streams',
        description: 'that all callers together may have open in one process'
      })
    )
  },
  { ...closed, default: {} }
)

/** Options of idempotency keys. */
export const IdempotencyOptionsSchema = Type.Object(
  {
    dataSource: Type.Optional(
      Type.String({ description: 'data source of the model IdempotencyKey, if the application does not define it' })
    ),
    keep: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 86_400,
        unit: 's',
        description: 'how long keys and responses are kept'
      })
    ),
    lock: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 60,
        unit: 's',
        description: 'time after which a request without a response counts as aborted'
      })
    ),
    bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 65_536,
        unit: 'bytes',
        description: 'of a response that is kept; of a longer one only the status is kept'
      })
    ),
    callerKeys: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 100_000,
        unit: 'keys',
        description: 'new keys of a caller, or of one network of callers without a token, within `keep`'
      })
    ),
    callerBytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 16_777_216,
        unit: 'bytes',
        description:
          'of the responses that are kept for one of these within `keep`; beyond that only their status is kept'
      })
    )
  },
  closed
)

/** Options of the plugin `rest`, in addition to Fastify's `prefix`. */
export const RestOptionsSchema = Type.Composite(
  [
    BodyOptionsSchema,
    Type.Object({
      sharedMethods: Type.Optional(
        Type.Record(Type.String(), Type.Boolean(), {
          description:
            'exposure by method name, for all models; * is the default for all but those that change many records'
        })
      ),
      supportedTypes: Type.Optional(
        Type.Array(Type.String(), {
          description: 'media types of responses, instead of JSON, JavaScript and, with answersXml, XML'
        })
      ),
      answersJsonp: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'send a script in response to a GET that names a callback, as LoopBack does: pages of any site can read it'
        })
      ),
      answersXml: Type.Optional(Type.Boolean({ default: false, description: 'support XML responses' })),
      arrayItemDelimiters: Type.Optional(
        Type.Array(Delimiter, { description: 'strings that separate list items in a query' })
      ),
      normalizeHttpPath: Type.Optional(
        Type.Boolean({ default: false, description: 'paths in lower case with dashes' })
      ),
      cors: Type.Optional(
        Type.Union([Type.Boolean(), Type.Unsafe<FastifyCorsOptions>(Type.Object({}))], {
          description: 'true for every origin, or options of @fastify/cors; without it, on only in version 2'
        })
      ),
      errors: Type.Optional(ErrorOptionsSchema),
      notFound: Type.Optional(
        Type.Boolean({
          default: true,
          description: "answer unknown paths below the prefix with 404; never at the server's root"
        })
      ),
      createdStatus: Type.Optional(
        Type.Union([Type.Literal(200), Type.Literal(201)], {
          default: 200,
          description: 'status of operations that create a record; 201 comes with its Location'
        })
      ),
      query: Type.Optional(QueryOptionsSchema),
      answer: Type.Optional(AnswerOptionsSchema),
      listETags: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'send weak entity tags for lists, so that a client with the same list gets 304 without a body'
        })
      ),
      lists: Type.Optional(
        Type.Object(ListSettingsSchema.properties, {
          ...closed,
          default: {},
          description: "how clients receive lists of all models; a model's own setting of this name takes precedence"
        })
      ),
      handling: Type.Optional(
        Type.Union([Type.Literal('lenient'), Type.Literal('strict')], {
          default: 'lenient',
          description:
            'strict: refuse unknown parameters of queries, keys of filters and, for strict models, properties in them'
        })
      ),
      idempotency: Type.Optional(
        Type.Union([Type.Boolean(), IdempotencyOptionsSchema], {
          default: false,
          description: 'execute POST and PATCH with an Idempotency-Key once, and repeat their response'
        })
      ),
      batch: Type.Optional(
        Type.Union([Type.Boolean(), BatchOptionsSchema], {
          default: false,
          description: 'accept batches of requests, and bulk requests for many records of a model'
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
