import { attemptOptions, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import type { GenerateToken, GetTtl, TimeToLive, UserClaims } from './option-functions.ts'
import { pageOptions } from './page-options.ts'
import { resourceOptions } from './resource-options.ts'

/** The names of all grants. */
const grantNames = [
  'authorizationCode',
  'implicit',
  'clientCredentials',
  'resourceOwnerPasswordCredentials',
  'refreshToken',
  'jwt',
  'deviceCode'
] as const

/** A grant as listed in `supportedGrantTypes`. */
export type GrantName = (typeof grantNames)[number]

const closed = { additionalProperties: false } as const
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })
const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })
const seconds = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, unit: 's', description: `seconds: ${description}` })
const other = (what: string) => Type.Unknown({ title: 'string or class', description: `model of ${what}` })

const LifetimesSchema = Type.Object(
  {
    token: Type.Optional(seconds('of access tokens; 3600 by default (compat: 1209600)')),
    clientToken: Type.Optional(
      seconds('of access tokens for a client without a user; 600 by default (compat: as `token`)')
    ),
    code: Type.Optional(seconds('of authorization codes; 60 by default (compat: 300)')),
    refreshToken: Type.Optional(
      seconds('of refresh tokens; 1209600 by default; for confidential clients each use restarts it')
    )
  },
  closed
)

/** Options of the authorization server. */
const serverOptions = {
  compat: Type.Optional(
    Type.Union([Type.Literal('loopback'), Type.Literal(false)], {
      default: false,
      description: "'loopback': the responses, grants and lifetimes of loopback-component-oauth2"
    })
  ),
  issuer: Type.Optional(
    Type.String({
      pattern: '^https?://[^?#]+$',
      description: 'URL of this server, without query and fragment; routes are below its path'
    })
  ),
  dataSource: Type.Optional(
    Type.Union([Type.String(), Type.Object({ name: Type.String() }, { title: '`{ name }`' })], {
      description: 'data source of the models: a name, or a data source; may be omitted if there is only one'
    })
  ),
  userModel: Type.Optional(
    Type.String({
      description: 'model of users; by default the first one with a data source that is User or extends it'
    })
  ),
  applicationModel: Type.Optional(
    Type.String({
      description:
        'model of clients; by default the first one with a data source that is OAuthClientApplication or extends it'
    })
  ),
  authorizationServer: Type.Optional(Type.Boolean({ default: true, description: 'false: only a resource server' })),
  resourceServer: Type.Optional(Type.Boolean({ default: true, description: 'false: no `authenticate`' })),
  authorizePath: Type.Optional(path('/oauth/authorize', 'authorization endpoint; false: none')),
  tokenPath: Type.Optional(path('/oauth/token', 'token endpoint; false: none')),
  decisionPath: Type.Optional(
    path('/oauth/authorize/decision', 'path to which the consent page is submitted; false: none')
  ),
  revokePath: Type.Optional(path('/oauth/revoke', 'revocation endpoint (RFC 7009); false: none')),
  introspectPath: Type.Optional(path('/oauth/introspect', 'introspection endpoint (RFC 7662); false: none')),
  supportedGrantTypes: Type.Optional(
    Type.Array(Type.Union(grantNames.map((name) => Type.Literal(name))), {
      description:
        'enabled grants; by default all but implicit and resourceOwnerPasswordCredentials (compat: all but deviceCode)'
    })
  ),
  pkce: Type.Optional(
    Type.Union([Type.Literal('required'), Type.Literal('optional')], {
      description: 'PKCE of confidential clients; public ones always need it; required by default (compat: optional)'
    })
  ),
  generateToken: Type.Optional(
    Type.Unsafe<GenerateToken>(fn('generates tokens and codes; returns { id, … } synchronously'))
  ),
  getTTL: Type.Optional(Type.Unsafe<GetTtl>(fn('lifetime of a token or code in seconds'))),
  ttl: Type.Optional(
    Type.Unsafe<TimeToLive>(
      Type.Union([Type.Number({ exclusiveMinimum: 0 }), LifetimesSchema, fn('as getTTL')], {
        unit: 's',
        description: 'seconds: a number, an object with token and code, or a function as getTTL'
      })
    )
  ),
  forceAuthorize: Type.Optional(Type.Boolean({ default: false, description: 'ask for consent each time' })),
  allowsPostForAuthorization: Type.Optional(
    Type.Boolean({ default: false, description: 'accept authorization requests in the body of a POST' })
  ),
  scopes: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), Type.String())], {
      description:
        'scopes that the server lists: in its metadata, and for clients without their own; as an object, each with a description for users'
    })
  ),
  rotateRefreshTokens: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: a refresh token of a confidential client can be used repeatedly, as in LoopBack'
    })
  ),
  refreshTokenGrace: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 60,
      default: 0,
      unit: 's',
      description: 'seconds in which a client that reuses a refresh token gets the same tokens again'
    })
  ),
  allowUnregisteredRedirects: Type.Optional(
    Type.Boolean({ default: false, description: 'clients without redirect URIs may use any, as in LoopBack' })
  ),
  jwtAlgorithm: Type.Optional(
    Type.String({
      pattern: '^(RS|PS|ES)(256|384|512)$|^EdDSA$',
      description: 'the only algorithm accepted for assertions; asymmetric ones by default'
    })
  ),
  privateClientKeys: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'allow jwksURI of clients to point to this machine, also without TLS, and to private networks'
    })
  ),
  models: Type.Optional(
    Type.Object(
      {
        users: Type.Optional(other('users')),
        clients: Type.Optional(other('clients')),
        accessTokens: Type.Optional(other('access tokens')),
        authorizationCodes: Type.Optional(other('authorization codes')),
        permission: Type.Optional(other('what users have consented to'))
      },
      { ...closed, description: 'models to use instead of the built-in ones: names or classes' }
    )
  ),
  rateLimit: Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            max: Type.Optional(
              Type.Integer({ minimum: 1, default: 100, unit: 'requests', description: 'requests per address' })
            ),
            timeWindow: Type.Optional(
              Type.Integer({
                minimum: 1000,
                default: 60_000,
                unit: 'ms',
                description: 'period in milliseconds in which they are counted'
              })
            ),
            ...attemptOptions
          },
          closed
        )
      ],
      {
        default: {},
        description: 'per address at the client endpoints, and for failed attempts per account; false: none'
      }
    )
  )
}

/** Options of OpenID Connect and of the device flow. */
const openIdOptions = {
  userinfoPath: Type.Optional(path('/oauth/userinfo', 'UserInfo endpoint of OpenID Connect; false: none')),
  idTokenLifetime: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, default: 3600, unit: 's', description: 'lifetime of an ID token in seconds' })
  ),
  claims: Type.Optional(
    Type.Unsafe<UserClaims>(
      Type.Function([], Type.Unknown(), { description: 'claims of a user in addition to those of the record' })
    )
  ),
  devicePath: Type.Optional(path('/device', 'the page for device codes; false: none')),
  deviceAuthorizationPath: Type.Optional(
    path('/oauth/device_authorization', 'device authorization endpoint; false: none')
  )
}

/** Options of the plugin `oauth2`. Those of loopback-component-oauth2 keep their names. */
export const OAuth2OptionsSchema = Type.Object(
  { ...serverOptions, ...pageOptions, ...openIdOptions, ...resourceOptions },
  { additionalProperties: false }
)
export type OAuth2Options = Static<typeof OAuth2OptionsSchema>

/** The options with their defaults. */
export type OAuth2Settings = WithDefaults<typeof OAuth2OptionsSchema>
