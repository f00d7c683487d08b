import { type GrantKind, makeGrantKind } from '../../options/grant-kind.ts'
import type { GrantName } from '../../options/oauth2-options.ts'
import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import { deviceCode } from './device-code.ts'
import type { Grant } from './grant.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

/**
 * The implicit grant: the authorization endpoint returns the token.
 * @see RFC 6749 section 4.2
 */
export const implicit = makeGrantKind({
  type: 'implicit',
  title: 'Implicit',
  isDefault: false,
  isRefreshable: false,
  isLoopbackRefreshable: false
})

/** The grant of each response type. */
export const grantOfResponse = { code: authorizationCode, token: implicit } as const

/** The response type that a client requests. */
export type ResponseType = keyof typeof grantOfResponse

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

/** The grants of the token endpoint, by `grant_type`. */
export const tokenGrants: ReadonlyMap<string, Grant> = new Map(
  Object.values<GrantKind | Grant>(grantTable)
    .filter(givesTokens)
    .map((grant) => [grant.type, grant])
)
