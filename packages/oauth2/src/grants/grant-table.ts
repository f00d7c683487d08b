import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import { jwtBearer, jwtBearerType } from './jwt-bearer.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

/** Grants by `grant_type`. */
export const grantTable: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', authorizationCode],
  ['client_credentials', clientCredentials],
  ['password', password],
  ['refresh_token', refreshToken],
  [jwtBearerType, jwtBearer]
])
