import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import { grantKinds } from './grant-kinds.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

const grants: readonly Grant[] = [authorizationCode, clientCredentials, password, refreshToken, jwtBearer]

/** Grants by `grant_type`. */
export const grantTable: ReadonlyMap<string, Grant> = new Map(
  grants.map((grant) => [grantKinds[grant.name].type, grant])
)
