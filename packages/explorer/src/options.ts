import type { WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { SwaggerDocument } from './swagger/swagger-document.ts'

const closed = { additionalProperties: false } as const
const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const texts = (description: string) => Type.Array(Type.String(), { description })

/** An OAuth 2.0 authorization server whose tokens the API takes, in the words of OpenAPI. */
const OAuth2DescriptionSchema = Type.Object(
  {
    flows: Type.Partial(
      Type.Record(
        Type.Union([
          Type.Literal('authorizationCode'),
          Type.Literal('clientCredentials'),
          Type.Literal('password'),
          Type.Literal('implicit')
        ]),
        Type.Object(
          {
            authorizationUrl: Type.Optional(Type.String({ description: 'where people agree' })),
            tokenUrl: Type.Optional(Type.String({ description: 'where tokens are given out' })),
            refreshUrl: Type.Optional(Type.String({ description: 'where they are renewed; tokenUrl when absent' })),
            scopes: Type.Record(Type.String(), Type.String(), { description: 'scopes, each with what it allows' })
          },
          closed
        )
      ),
      {
        ...closed,
        title: 'object',
        description:
          'authorizationCode, clientCredentials, password or implicit, each with authorizationUrl, tokenUrl, refreshUrl and scopes'
      }
    ),
    description: Type.Optional(Type.String({ description: 'what the document says about it' })),
    clientId: Type.Optional(Type.String({ description: 'filled into the form of the page' }))
  },
  closed
)

/** Options of the plugin `explorer`. Those that loopback-component-explorer has, too, have its names. */
export const ExplorerOptionsSchema = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: 'serve it at all; true except in production (NODE_ENV) when absent' })
    ),
    mountPath: Type.Optional(Type.String({ default: '/explorer', pattern: '^/', description: 'where the page is' })),
    resourcePath: Type.Optional(
      Type.String({
        default: 'swagger.json',
        minLength: 1,
        description: 'path of the Swagger 2 document, below the page'
      })
    ),
    swaggerUI: Type.Optional(
      Type.Boolean({ default: true, description: 'false: the documents alone, without a page' })
    ),
    uiDirs: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'folders whose files are served below the page; an index.html takes its place'
      })
    ),
    api: Type.Optional(Type.String({ description: 'prefix of the API to describe; the first one when absent' })),
    apiInfo: Type.Optional(anyObject('title, description, version, contact, license and termsOfService')),
    version: Type.Optional(Type.String({ description: 'version of the API, where apiInfo has none' })),
    host: Type.Optional(Type.String({ description: 'host and port of the API, where it is not that of the page' })),
    protocol: Type.Optional(Type.String({ description: 'http or https, for host' })),
    basePath: Type.Optional(Type.String({ description: 'path of the API as clients see it; its prefix when absent' })),
    consumes: Type.Optional(texts('media types of bodies that the Swagger 2 document shows')),
    produces: Type.Optional(texts('media types of answers that the Swagger 2 document shows')),
    models: Type.Optional(anyObject('definitions of the Swagger 2 document besides those of models')),
    auth: Type.Optional(Type.Unknown({ description: 'what config.json shows as auth' })),
    generateOperationScopedModels: Type.Optional(
      Type.Boolean({ default: false, description: 'Swagger 2: records to create have a definition of their own' })
    ),
    generateRelationProperties: Type.Optional(
      Type.Boolean({ default: false, description: 'Swagger 2: records have definitions with related records' })
    ),
    extensions: Type.Optional(anyObject('further members of the Swagger 2 document, such as securityDefinitions')),
    oauth2: Type.Optional(OAuth2DescriptionSchema),
    packageInfo: Type.Optional(anyObject('package.json of the application: name, version, description')),
    modelOrder: Type.Optional(texts('names of models in the order of the documents')),
    onSwagger: Type.Optional(
      Type.Unsafe<(document: SwaggerDocument) => void>(
        Type.Function([], Type.Unknown(), { description: 'may change the Swagger 2 document before it is sent' })
      )
    )
  },
  closed
)
export type ExplorerOptions = Static<typeof ExplorerOptionsSchema>

/** The options with their defaults. */
export type ExplorerSettings = WithDefaults<typeof ExplorerOptionsSchema>
