import { InvalidGrant } from '../../errors.ts'
import { required } from '../../http/parameters.ts'
import { codeGrantType, makeGrantKind } from '../../options/grant-kind.ts'
import type { FoundCode } from '../store/code-vault.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { checkVerifier } from '../tokens/pkce.ts'
import { readResources } from '../tokens/scopes.ts'
import { checkUser, type Grant, type GrantRequest, issueOrRestore } from './grant.ts'

const kind = makeGrantKind({ type: codeGrantType, title: 'Authorization Code', isInteractive: true })

/** A code that is used again ends all that came from it. @see RFC 6749 section 4.1.2 */
async function endStolen({ services }: GrantRequest, code: FoundCode): Promise<never> {
  await code.markStolen()
  if (code.facts.family !== undefined) await services.tokens.revokeFamily(code.facts.family)
  throw new InvalidGrant('the authorization code was already used')
}

/** Checks the request against the code. A failed attempt leaves the code valid: a guess must not end it. */
function check({ client, parameters }: GrantRequest, code: FoundCode): void {
  const { facts, redirectUri, challenge } = code
  if (facts.clientId !== client.id) throw new InvalidGrant('the authorization code was issued to another client')
  if (code.used) return
  if (facts.expiresAt <= new Date()) throw new InvalidGrant('the authorization code has expired')
  if (parameters.one('redirect_uri') !== redirectUri)
    throw new InvalidGrant('redirect_uri does not match that of the authorization request')
  checkVerifier(parameters.one('code_verifier'), challenge)
}

/** Makes the tokens of a code. */
async function makeTokens(
  { services, client, parameters }: GrantRequest,
  { facts, redirectUri }: FoundCode,
  resources: readonly string[]
): Promise<Issued> {
  return services.issueTokens({
    client,
    userId: facts.userId,
    scopes: facts.scopes,
    resources,
    granted: facts,
    grant: kind,
    family: facts.family,
    authTime: facts.authTime,
    nonce: facts.nonce,
    details: { code: parameters.one('code'), redirectURI: redirectUri }
  })
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { services, parameters } = request
  const value = required(parameters, 'code')
  const code = await services.codes.find(value)
  if (code === undefined) throw new InvalidGrant('the authorization code is invalid')
  check(request, code)
  const resources = readResources(services.settings, parameters, code.facts.resources)
  await checkUser(services, code.facts.userId)
  if (code.used || !(await code.use())) return endStolen(request, code)
  const issued = await issueOrRestore(() => makeTokens(request, code, resources), code)
  // A concurrent use or revocation of the code may have looked for its tokens before they were stored.
  if (!(await code.stands())) await services.tokens.remove(issued.accessToken)
  return issued
}

/** Exchanges an authorization code, once. @see RFC 6749 section 4.1.3, RFC 7636 */
export const authorizationCode: Grant = { ...kind, allowsPublic: true, issue, isCheckedBefore: true }
