import { Type } from '@sinclair/typebox'
import type { UserClaims } from './user-functions.ts'

const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })

/** Options of OpenID Connect and of the device flow. */
export const openIdOptions = {
  userinfoPath: Type.Optional(path('/oauth/userinfo', 'what OpenID Connect tells of a user; false: none')),
  idTokenLifetime: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, default: 3600, unit: 's', description: 'seconds that an ID token lives' })
  ),
  claims: Type.Optional(
    Type.Unsafe<UserClaims>(
      Type.Function([], Type.Unknown(), { description: 'claims of a user beside those that the record has' })
    )
  ),
  devicePath: Type.Optional(path('/device', 'the page for codes of devices; false: none')),
  deviceAuthorizationPath: Type.Optional(
    path('/oauth/device_authorization', 'where devices ask for codes; false: none')
  )
}
