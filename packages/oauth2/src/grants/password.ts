import { InvalidGrant } from '../errors.ts'
import { required } from '../http/parameters.ts'
import { issueTokens, type Issued } from '../tokens/issue-token.ts'
import { readScopes } from '../tokens/scopes.ts'
import type { Grant, GrantRequest } from './grant.ts'
import { makeGrantKind } from './grant-kind.ts'
import { readResources } from './read-resources.ts'

const kind = makeGrantKind({
  type: 'password',
  title: 'Resource Owner Password Credentials',
  isDefault: false
})

async function issue({ parts, client, parameters, request }: GrantRequest): Promise<Issued> {
  const username = required(parameters, 'username')
  const password = required(parameters, 'password')
  const scopes = readScopes(parts.settings, client, kind, parameters.one('scope'))
  const resources = readResources(parts, parameters, undefined)
  const { guesses, users } = parts
  const verify = async () => users.verify(username, password)
  const user = await guesses.password(request, username, verify, async (found) => users.isNameOfOne(username, found))
  if (user === undefined) throw new InvalidGrant('wrong user name or password')
  return issueTokens(parts, {
    client,
    userId: user.id,
    user,
    scopes,
    resources,
    grant: kind
  })
}

/** A token for a name and a password: for applications that did so of old. @see RFC 6749 section 4.3 */
export const password: Grant = { ...kind, allowsPublic: false, issue }
