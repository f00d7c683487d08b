import { attemptOptions } from '@modelwire/core/plugin'
import { Type } from '@sinclair/typebox'
import type { GenerateToken, GetTtl, TimeToLive } from './option-functions.ts'

const closed = { additionalProperties: false } as const
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })
const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })
const seconds = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, unit: 's', description: `seconds: ${description}` })
const other = (what: string) => Type.Unknown({ title: 'string or class', description: `model of ${what}` })

const LifetimesSchema = Type.Object(
  {
    token: Type.Optional(seconds('of access tokens; 3600 when absent (compat: 1209600)')),
    clientToken: Type.Optional(
      seconds('of access tokens that stand for a client alone; 600 when absent (compat: as `token`)')
    ),
    code: Type.Optional(seconds('of authorization codes; 60 when absent (compat: 300)')),
    refreshToken: Type.Optional(
      seconds('of refresh tokens; 1209600 when absent; each use starts it again for confidential clients')
    )
  },
  closed
)

/** Options of the authorization server. */
export const serverOptions = {
  compat: Type.Optional(
    Type.Union([Type.Literal('loopback'), Type.Literal(false)], {
      default: false,
      description: "'loopback': the answers, grants and lifetimes of loopback-component-oauth2"
    })
  ),
  issuer: Type.Optional(
    Type.String({
      pattern: '^https?://[^?#]+$',
      description: 'the address of this server, without query and fragment; routes are below its path'
    })
  ),
  dataSource: Type.Optional(
    Type.Union([Type.String(), Type.Object({ name: Type.String() }, { title: '`{ name }`' })], {
      description: 'where the models are kept: a name, or a data source; the only one where there is one'
    })
  ),
  userModel: Type.Optional(
    Type.String({ description: 'model of users; absent: the first one with a data source that is User or extends it' })
  ),
  applicationModel: Type.Optional(
    Type.String({
      description:
        'model of clients; absent: the first one with a data source that is OAuthClientApplication or extends it'
    })
  ),
  authorizationServer: Type.Optional(Type.Boolean({ default: true, description: 'false: a resource server alone' })),
  resourceServer: Type.Optional(Type.Boolean({ default: true, description: 'false: no `authenticate`' })),
  authorizePath: Type.Optional(path('/oauth/authorize', 'where people are sent to agree; false: none')),
  tokenPath: Type.Optional(path('/oauth/token', 'where clients get tokens; false: none')),
  decisionPath: Type.Optional(path('/oauth/authorize/decision', 'where the consent page is sent; false: none')),
  revokePath: Type.Optional(path('/oauth/revoke', 'where clients end tokens (RFC 7009); false: none')),
  introspectPath: Type.Optional(
    path('/oauth/introspect', 'where resource servers ask about tokens (RFC 7662); false: none')
  ),
  supportedGrantTypes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'the grants that are given; absent: all but implicit and resourceOwnerPasswordCredentials (compat: all but deviceCode)'
    })
  ),
  pkce: Type.Optional(
    Type.Union([Type.Literal('required'), Type.Literal('optional')], {
      description: 'PKCE of confidential clients; public ones always need it; required when absent (compat: optional)'
    })
  ),
  generateToken: Type.Optional(Type.Unsafe<GenerateToken>(fn('makes tokens and codes; returns { id, … } at once'))),
  getTTL: Type.Optional(Type.Unsafe<GetTtl>(fn('seconds that a token or code lives'))),
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
    Type.Boolean({ default: false, description: 'authorization requests may be sent in the body of a POST' })
  ),
  scopes: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), Type.String())], {
      description:
        'scopes that the server names: in its metadata, and for clients without a list; as an object, each with what people read of it'
    })
  ),
  rotateRefreshTokens: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: a refresh token of a confidential client works again and again, as in LoopBack'
    })
  ),
  refreshTokenGrace: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 60,
      default: 0,
      unit: 's',
      description: 'seconds in which a client that uses a refresh token again gets the same tokens again'
    })
  ),
  allowUnregisteredRedirects: Type.Optional(
    Type.Boolean({ default: false, description: 'clients without redirect URIs may name any, as in LoopBack' })
  ),
  jwtAlgorithm: Type.Optional(
    Type.String({
      pattern: '^(RS|PS|ES)(256|384|512)$|^EdDSA$',
      description: 'the one algorithm of assertions; public keys of any kind when absent'
    })
  ),
  privateClientKeys: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'jwksURI of clients may lead to this machine, also without TLS, and to private networks'
    })
  ),
  models: Type.Optional(
    Type.Object(
      {
        users: Type.Optional(other('users')),
        clients: Type.Optional(other('clients')),
        accessTokens: Type.Optional(other('access tokens')),
        authorizationCodes: Type.Optional(other('authorization codes')),
        permission: Type.Optional(other('what users have permitted'))
      },
      { ...closed, description: 'models to use in place of the built-in ones: names or classes' }
    )
  ),
  rateLimit: Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            max: Type.Optional(
              Type.Integer({ minimum: 1, default: 100, unit: 'requests', description: 'requests of one address' })
            ),
            timeWindow: Type.Optional(
              Type.Integer({
                minimum: 1000,
                default: 60_000,
                unit: 'ms',
                description: 'milliseconds in which they count'
              })
            ),
            ...attemptOptions
          },
          closed
        )
      ],
      {
        default: {},
        description: 'of one address at the endpoints of clients, and of failed attempts per account; false: none'
      }
    )
  )
}
