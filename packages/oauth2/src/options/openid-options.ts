import { Type } from '@sinclair/typebox'
import type { UserClaims } from './user-functions.ts'

const path = (description: string) => Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { description })

/** Options of OpenID Connect and of the device flow. */
export const openIdOptions = {
  userinfoPath: Type.Optional(path('/oauth/userinfo; false: none')),
  idTokenLifetime: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'seconds that an ID token lives (3600)' })
  ),
  claims: Type.Optional(
    Type.Unsafe<UserClaims>(
      Type.Function([], Type.Unknown(), { description: 'claims of a user beside those that the record has' })
    )
  ),
  devicePath: Type.Optional(path('the page for codes of devices: /device; false: none')),
  deviceAuthorizationPath: Type.Optional(path('where devices ask for codes: /oauth/device_authorization; false: none'))
}
