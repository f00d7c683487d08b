import { Type } from '@sinclair/typebox'

const path = (description: string) => Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { description })
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })

/** `checkAccessToken` of loopback-component-oauth2. */
export type CheckAccessToken = (
  request: unknown,
  token: unknown,
  callback: (error: unknown, user?: unknown, info?: unknown) => void
) => void

/** Options of signing keys and of the resource server. */
export const resourceOptions = {
  accessTokens: Type.Optional(
    Type.Union([Type.Literal('opaque'), Type.Literal('jwt')], {
      default: 'opaque',
      description: 'form of access tokens'
    })
  ),
  jwksPath: Type.Optional(path('/oauth/jwks; false: none')),
  audience: Type.Optional(
    Type.String({ description: 'audience of JWT access tokens that name no resource; the issuer' })
  ),
  resources: Type.Optional(
    Type.Array(Type.String(), { description: 'resources that tokens may be asked for (RFC 8707)' })
  ),
  checkAccessToken: Type.Optional(Type.Unsafe<CheckAccessToken>(fn('has the last word on tokens'))),
  addHttpHeaders: Type.Optional(
    Type.Union([Type.Boolean(), Type.String()], {
      description: 'adds X-OAUTH2-CLIENT-ID and X-OAUTH2-USER-ID to requests'
    })
  )
}
