import type { WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { protectionOptions } from './protection-options.ts'

const closed = { additionalProperties: false } as const
const asymmetric = '^((RS|PS)(256|384|512)|ES(256|384|512)|EdDSA|Ed25519)$'

const IntrospectionSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({ description: 'address to ask about tokens; found in the metadata of the issuer when absent' })
    ),
    clientId: Type.String({ minLength: 1, description: 'name of this server at the authorization server' }),
    clientSecret: Type.String({ minLength: 1, description: 'its secret' }),
    cacheFor: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 10,
        unit: 's',
        description: 'seconds that an answer is gone by; 0: every request asks'
      })
    ),
    cacheEntries: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, unit: 'answers', description: 'answers that are kept' })
    )
  },
  closed
)

/** Options of the plugin `resourceServer`. */
export const ResourceServerOptionsSchema = Type.Object(
  {
    issuer: Type.String({
      pattern: '^https?://[^?#]+$',
      description: 'the authorization server, exactly as its tokens and metadata name it'
    }),
    audience: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
      description: 'names of this resource; the first one, an address, is that of its metadata'
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
        { description: 'keys of the authorization server; false: no JWTs are taken' }
      )
    ),
    jwksUri: Type.Optional(Type.String({ description: 'address of its keys; found in its metadata when absent' })),
    algorithms: Type.Optional(
      Type.Array(Type.String({ pattern: asymmetric }), {
        minItems: 1,
        description: 'algorithms of tokens; ES256, RS256, … '
      })
    ),
    clockTolerance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 300,
        default: 5,
        unit: 's',
        description: 'seconds by which clocks may differ'
      })
    ),
    keysCacheFor: Type.Optional(
      Type.Number({ minimum: 1, default: 600, unit: 's', description: 'seconds that the keys are kept' })
    ),
    rememberTokens: Type.Optional(
      Type.Integer({ minimum: 0, default: 1000, unit: 'tokens', description: 'verified tokens that are remembered' })
    ),
    introspection: Type.Optional(IntrospectionSchema),
    timeout: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 5,
        unit: 's',
        description: 'seconds that the authorization server is waited for'
      })
    ),
    allowHttp: Type.Optional(
      Type.Boolean({ default: false, description: 'the authorization server is asked without TLS' })
    ),
    protect: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: 'paths that need a token' })
    ),
    ...protectionOptions
  },
  closed
)
export type ResourceServerOptions = Static<typeof ResourceServerOptionsSchema>

/** The options with their defaults. */
export type ResourceServerSettings = WithDefaults<typeof ResourceServerOptionsSchema>
