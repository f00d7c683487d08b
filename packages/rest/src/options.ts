import { type Static, Type } from '@sinclair/typebox'
import { BodyOptionsSchema } from './input/body-options.ts'

const optional = <T extends import('@sinclair/typebox').TSchema>(schema: T) => Type.Optional(schema)

/** How errors are told. The names are those of strong-error-handler. */
export const ErrorOptionsSchema = Type.Object({
  debug: optional(Type.Boolean({ default: false, description: 'show all properties and the stack' })),
  log: optional(Type.Boolean({ default: true, description: 'log errors through the server\'s logger' })),
  safeFields: optional(Type.Array(Type.String(), { description: 'properties of 5xx errors that may be shown' })),
  rootProperty: optional(Type.Union([Type.String(), Type.Literal(false)], { default: 'error' })),
  negotiateContentType: optional(Type.Boolean({ default: true, description: 'answer in the format that Accept asks for' })),
  defaultType: optional(Type.String({ default: 'json', description: 'json, html or xml, where Accept asks for none of them' })),
  disableStackTrace: optional(Type.Boolean({ default: false, description: 'version 2: leave the stack out' }))
})

/** Options of the plugin `rest`, besides Fastify's `prefix`. */
export const RestOptionsSchema = Type.Composite([
  BodyOptionsSchema,
  Type.Object({
    sharedMethods: optional(Type.Record(Type.String(), Type.Boolean(), { description: 'method name to exposure, for all models; * is the default' })),
    supportedTypes: optional(Type.Array(Type.String(), { description: 'media types to answer in, instead of the usual ones' })),
    answersXml: optional(Type.Boolean({ default: false, description: 'offer XML answers' })),
    arrayItemDelimiters: optional(Type.Array(Type.Unknown(), { description: 'texts that separate the items of a list in a query' })),
    normalizeHttpPath: optional(Type.Boolean({ default: false, description: 'paths in lower case with dashes' })),
    errors: optional(ErrorOptionsSchema),
    notFound: optional(Type.Boolean({ default: true, description: 'answer unknown paths below the prefix; never at the server\'s root' })),
    query: optional(
      Type.Object({
        length: optional(Type.Integer({ minimum: 1, default: 65536, description: 'characters of a query string' })),
        parameters: optional(Type.Integer({ minimum: 1, default: 1000 })),
        depth: optional(Type.Integer({ minimum: 1, default: 12, description: 'levels of a filter' })),
        conditions: optional(Type.Integer({ minimum: 1, default: 200, description: 'conditions of a filter' })),
        listItems: optional(Type.Integer({ minimum: 1, default: 2000, description: 'items of a list in a filter' }))
      })
    )
  })
])
export type RestOptions = Static<typeof RestOptionsSchema>
