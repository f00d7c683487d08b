import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { protectionOptions } from './resource-options.ts'

const closed = { additionalProperties: false } as const
const asymmetric = '^((RS|PS)(256|384|512)|ES(256|384|512)|EdDSA|Ed25519)$'

const IntrospectionSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({ description: 'introspection endpoint; read from the metadata of the issuer by default' })
    ),
    clientId: Type.String({ minLength: 1, description: 'client id of this server at the authorization server' }),
    clientSecret: Type.String({ minLength: 1, description: 'its secret' }),
    cacheFor: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 10,
        unit: 's',
        description: 'seconds that a response is cached; 0: introspect for every request'
      })
    ),
    cacheEntries: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, unit: 'answers', description: 'responses that are cached' })
    )
  },
  closed
)

/** Options of the plugin `resourceServer`. */
export const ResourceServerOptionsSchema = Type.Object(
  {
    issuer: Type.String({
      pattern: '^https?://[^?#]+$',
      description: 'issuer of the authorization server, exactly as in its tokens and metadata'
    }),
    audience: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
      description: 'identifiers of this resource; the first one, a URL, is used in its metadata'
    }),
    jwks: Type.Optional(
      Type.Union(
        [
          Type.Literal(false),
          Type.Object(
            { keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1 }) },
            { title: 'JWK Set' }
          )
        ],
        { description: 'keys of the authorization server; false: do not accept JWTs' }
      )
    ),
    jwksUri: Type.Optional(Type.String({ description: 'URL of its keys; read from its metadata by default' })),
    algorithms: Type.Optional(
      Type.Array(Type.String({ pattern: asymmetric }), {
        minItems: 1,
        description: 'signature algorithms of tokens; ES256, RS256, …'
      })
    ),
    clockTolerance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 300,
        default: 5,
        unit: 's',
        description: 'tolerated clock skew in seconds'
      })
    ),
    keysCacheFor: Type.Optional(
      Type.Number({ minimum: 1, default: 600, unit: 's', description: 'seconds that the keys are cached' })
    ),
    rememberTokens: Type.Optional(
      Type.Integer({ minimum: 0, default: 1000, unit: 'tokens', description: 'verified tokens that are cached' })
    ),
    introspection: Type.Optional(IntrospectionSchema),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 5,
        unit: 's',
        description: 'seconds to wait for the authorization server'
      })
    ),
    allowHttp: Type.Optional(
      Type.Boolean({ default: false, description: 'connect to the authorization server without TLS' })
    ),
    protect: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: 'paths that require a token' })
    ),
    ...protectionOptions
  },
  closed
)
export type ResourceServerOptions = Static<typeof ResourceServerOptionsSchema>

/** The options with their defaults. */
export type ResourceServerSettings = WithDefaults<typeof ResourceServerOptionsSchema>
