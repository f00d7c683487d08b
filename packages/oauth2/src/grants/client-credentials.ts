import { PermissionDenied } from '../errors.ts'
import type { UserFacts } from '../options/user-functions.ts'
import { issueTokens, type Issued } from '../tokens/issue-token.ts'
import { readScopes } from '../tokens/scopes.ts'
import type { Grant, GrantRequest } from './grant.ts'
import { makeGrantKind } from './grant-kind.ts'
import { permittedUser } from './permitted-user.ts'
import { readResources } from './read-resources.ts'

const kind = makeGrantKind({
  type: 'client_credentials',
  title: 'Client Credentials',
  isRefreshable: false,
  isForClient: true
})

/** The user that a client requests to act for, who must have permitted it. @see loopback-component-oauth2 */
async function subjectOf(request: GrantRequest, scopes: readonly string[]): Promise<UserFacts | undefined> {
  const { parameters } = request
  const name = parameters.one('sub') ?? parameters.one('subject') ?? parameters.one('username')
  if (name === undefined) return undefined
  const user = await permittedUser(request, name, scopes)
  if (user === undefined) throw new PermissionDenied('the user has not granted permission')
  return user
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { parts, client, parameters } = request
  const scopes = readScopes(parts.settings, client, kind, parameters.one('scope'))
  const resources = readResources(parts, parameters, undefined)
  const user = await subjectOf(request, scopes)
  return issueTokens(parts, {
    client,
    userId: user?.id,
    user,
    scopes,
    resources,
    grant: kind
  })
}

/** A token for the client itself. @see RFC 6749 section 4.4 */
export const clientCredentials: Grant = { ...kind, allowsPublic: false, issue }
