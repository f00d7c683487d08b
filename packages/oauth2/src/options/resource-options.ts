import { Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

/** Options of every resource server, whether or not it is also the authorization server. */
export const protectionOptions = {
  addHttpHeaders: Type.Optional(
    Type.Union([Type.Boolean(), Type.String()], {
      description: 'add X-OAUTH2-CLIENT-ID and X-OAUTH2-USER-ID to requests; a string sets a different prefix'
    })
  ),
  realm: Type.Optional(Type.String({ description: 'realm of challenges' })),
  tokenInQuery: Type.Optional(
    Type.Boolean({
      description: 'also read access_token from the query, which ends up in logs; false by default (compat: true)'
    })
  ),
  unmapped: Type.Optional(
    Type.Union([Type.Literal('deny'), Type.Literal('allow')], {
      description:
        "what clients may do where no scope is required: routes that no mapping of authenticate covers and methods of models; LoopBack's component allows them; deny by default (compat: allow for methods)"
    })
  ),
  scopeMappings: Type.Optional(
    Type.Record(Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 })), {
      description: 'operations that each scope allows: Product.find, Product.*, Product:READ; all others are closed'
    })
  ),
  openOperations: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'operations that need no token if scopeMappings are set'
    })
  ),
  protectAccounts: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'clients cannot change users, roles and rules, unless scopeMappings allow it'
    })
  ),
  resourceMetadata: Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            name: Type.Optional(Type.String({ description: 'display name of the resource' })),
            documentation: Type.Optional(Type.String({ description: 'URL of documentation for developers' })),
            scopes: Type.Optional(
              Type.Array(Type.String(), {
                description: 'scopes that its tokens may have; those of scopeMappings by default'
              })
            )
          },
          closed
        )
      ],
      { description: 'protected resource metadata (RFC 9728); false: none' }
    )
  )
}

/** Algorithms that this server can sign with: only asymmetric ones, so that verifiers cannot sign. */
export const signingAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const

/** One of {@link signingAlgorithms}. */
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })
const secret = Type.String({ minLength: 32 })

/** `checkAccessToken` of loopback-component-oauth2: looks up tokens instead of the server. */
export type CheckAccessToken = (
  request: unknown,
  token: string,
  callback: (error: unknown, user?: unknown, info?: unknown) => void
) => void

/** The option `keys`. */
export const KeysSchema = Type.Object(
  {
    algorithm: Type.Optional(
      Type.Union(
        signingAlgorithms.map((name) => Type.Literal(name)),
        { default: 'ES256', description: 'algorithm of new keys' }
      )
    ),
    secret: Type.Optional(
      Type.Union([secret, Type.Array(secret, { minItems: 1 })], {
        description: 'encrypts private keys in the database; if several, the first one; `session.secret` by default'
      })
    ),
    jwks: Type.Optional(
      Type.Object(
        { keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1 }) },
        {
          title: 'JWK Set',
          description: 'your own keys, with private parts: the first one signs, all of them verify'
        }
      )
    ),
    rotateAfter: Type.Optional(
      Type.Number({ minimum: 60, default: 2_592_000, unit: 's', description: 'seconds that a key is used for signing' })
    ),
    cacheFor: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 600,
        unit: 's',
        description: 'seconds that others may cache the published keys'
      })
    ),
    refreshAfter: Type.Optional(
      Type.Number({
        minimum: 1,
        default: 60,
        unit: 's',
        description: 'seconds until a process notices changes made by another one'
      })
    )
  },
  closed
)

/** Options of signing keys and of the resource server. */
export const resourceOptions = {
  accessTokens: Type.Optional(
    Type.Union([Type.Literal('opaque'), Type.Literal('jwt')], {
      default: 'opaque',
      description: 'format of access tokens'
    })
  ),
  keys: Type.Optional(KeysSchema),
  jwksPath: Type.Optional(path('/oauth/jwks', 'path of the public keys (JWKS); false: none')),
  audience: Type.Optional(
    Type.String({ description: 'audience of JWT access tokens without a resource; the issuer by default' })
  ),
  resources: Type.Optional(
    Type.Array(Type.String(), { description: 'resources for which tokens may be requested (RFC 8707)' })
  ),
  checkAccessToken: Type.Optional(Type.Unsafe<CheckAccessToken>(fn('looks up tokens instead of the server'))),
  ...protectionOptions
}
