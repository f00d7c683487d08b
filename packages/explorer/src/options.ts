import type { WithDefaults } from '@modelwire/server'
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
            authorizationUrl: Type.Optional(Type.String({ description: 'authorization endpoint' })),
            tokenUrl: Type.Optional(Type.String({ description: 'token endpoint' })),
            refreshUrl: Type.Optional(
              Type.String({ description: 'endpoint that refreshes tokens; tokenUrl by default' })
            ),
            scopes: Type.Record(Type.String(), Type.String(), { description: 'scopes, each with a description' })
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
    description: Type.Optional(Type.String({ description: 'description in the document' })),
    clientId: Type.Optional(Type.String({ description: "prefilled in the page's form" }))
  },
  closed
)

/** Options of the plugin `explorer`. Those that loopback-component-explorer also has keep their names. */
export const ExplorerOptionsSchema = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: 'serve it at all; by default, except in production (NODE_ENV)' })
    ),
    mountPath: Type.Optional(Type.String({ default: '/explorer', pattern: '^/', description: 'path of the page' })),
    resourcePath: Type.Optional(
      Type.String({
        default: 'swagger.json',
        minLength: 1,
        description: 'path of the Swagger 2 document, below the page'
      })
    ),
    swaggerUI: Type.Optional(Type.Boolean({ default: true, description: 'false: only the documents, without a page' })),
    uiDirs: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'folders whose files are served below the page; an index.html replaces it'
      })
    ),
    api: Type.Optional(Type.String({ description: 'prefix of the API to describe; the first one by default' })),
    apiInfo: Type.Optional(anyObject('title, description, version, contact, license and termsOfService')),
    version: Type.Optional(Type.String({ description: 'version of the API, if apiInfo has none' })),
    host: Type.Optional(Type.String({ description: "host and port of the API, if they differ from the page's" })),
    protocol: Type.Optional(Type.String({ description: 'http or https, for host' })),
    basePath: Type.Optional(Type.String({ description: 'path of the API as clients see it; its prefix by default' })),
    consumes: Type.Optional(texts('media types of request bodies in the Swagger 2 document')),
    produces: Type.Optional(texts('media types of responses in the Swagger 2 document')),
    models: Type.Optional(anyObject('definitions of the Swagger 2 document in addition to those of models')),
    auth: Type.Optional(Type.Unknown({ description: 'value of auth in config.json' })),
    generateOperationScopedModels: Type.Optional(
      Type.Boolean({ default: false, description: 'Swagger 2: use a separate definition for records to create' })
    ),
    generateRelationProperties: Type.Optional(
      Type.Boolean({ default: false, description: 'Swagger 2: define records with their related records' })
    ),
    extensions: Type.Optional(anyObject('further members of the Swagger 2 document, such as securityDefinitions')),
    oauth2: Type.Optional(OAuth2DescriptionSchema),
    packageInfo: Type.Optional(anyObject('package.json of the application: name, version, description')),
    modelOrder: Type.Optional(texts('names of models, in the order of the documents')),
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
