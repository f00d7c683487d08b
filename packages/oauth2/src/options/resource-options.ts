import { Type } from '@sinclair/typebox'
import { signingAlgorithms } from '../keys/signing-algorithms.ts'
import { protectionOptions } from './protection-options.ts'

const closed = { additionalProperties: false } as const
const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })
const secret = Type.String({ minLength: 32 })

/** `checkAccessToken` of loopback-component-oauth2: looks tokens up in place of the server. */
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
        description: 'encrypts private keys in the database; of several the first one; `session.secret` when absent'
      })
    ),
    jwks: Type.Optional(
      Type.Object(
        { keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1 }) },
        {
          title: 'JWK Set',
          description: 'keys of your own, with private parts: the first one signs, all of them verify'
        }
      )
    ),
    rotateAfter: Type.Optional(
      Type.Number({ minimum: 60, default: 2_592_000, unit: 's', description: 'seconds that a key signs' })
    ),
    cacheFor: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 600,
        unit: 's',
        description: 'seconds that others may keep the published keys'
      })
    ),
    refreshAfter: Type.Optional(
      Type.Number({
        minimum: 1,
        default: 60,
        unit: 's',
        description: 'seconds after which a process notices what another one did'
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
      description: 'form of access tokens'
    })
  ),
  keys: Type.Optional(KeysSchema),
  jwksPath: Type.Optional(path('/oauth/jwks', 'where the public keys are; false: none')),
  audience: Type.Optional(
    Type.String({ description: 'audience of JWT access tokens that name no resource; the issuer' })
  ),
  resources: Type.Optional(
    Type.Array(Type.String(), { description: 'resources that tokens may be asked for (RFC 8707)' })
  ),
  checkAccessToken: Type.Optional(Type.Unsafe<CheckAccessToken>(fn('looks tokens up in place of the server'))),
  ...protectionOptions
}
