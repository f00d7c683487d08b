import { PermissionDenied } from '../../errors.ts'
import { makeGrantKind } from '../../options/grant-kind.ts'
import type { UserFacts } from '../../options/option-functions.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { readResources, readScopes } from '../tokens/scopes.ts'
import { type Grant, type GrantRequest, permittedUser } from './grant.ts'

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
  const { services, client, parameters } = request
  const scopes = readScopes(services.settings, client, kind, parameters.one('scope'))
  const resources = readResources(services.settings, parameters, undefined)
  const user = await subjectOf(request, scopes)
  return services.issueTokens({
    client,
    userId: user?.id,
    user,
    scopes,
    resources,
    grant: kind
  })
}

/**
 * Issues a token for the client itself.
 * @see RFC 6749 section 4.4
 */
export const clientCredentials: Grant = { ...kind, allowsPublic: false, issue }
