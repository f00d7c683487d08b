import { deviceCode } from '../device/device-grant.ts'
import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import type { GrantKind } from './grant-kind.ts'
import type { GrantName } from './grant-names.ts'
import { implicit } from './implicit.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

/** All grants, by their names in `supportedGrantTypes`. */
export const grantTable = {
  authorizationCode,
  implicit,
  clientCredentials,
  resourceOwnerPasswordCredentials: password,
  refreshToken,
  jwt: jwtBearer,
  deviceCode
} as const satisfies Readonly<Record<GrantName, GrantKind | Grant>>

const givesTokens = (kind: GrantKind | Grant): kind is Grant => 'issue' in kind

/** The grants of the token endpoint that need no endpoint of their own, by `grant_type`. */
export const tokenGrants = (): Map<string, Grant> =>
  new Map(
    Object.values<GrantKind | Grant>(grantTable)
      .filter(givesTokens)
      .map((grant) => [grant.type, grant])
  )
