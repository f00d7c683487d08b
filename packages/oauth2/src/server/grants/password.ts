import { InvalidGrant } from '../../errors.ts'
import { required } from '../../http/parameters.ts'
import { makeGrantKind } from '../../options/grant-kind.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { readResources, readScopes } from '../tokens/scopes.ts'
import type { Grant, GrantRequest } from './grant.ts'

const kind = makeGrantKind({
  type: 'password',
  title: 'Resource Owner Password Credentials',
  isDefault: false
})

async function issue({ services, client, parameters, request }: GrantRequest): Promise<Issued> {
  const username = required(parameters, 'username')
  const password = required(parameters, 'password')
  const scopes = readScopes(services.settings, client, kind, parameters.one('scope'))
  const resources = readResources(services.settings, parameters, undefined)
  const { guesses, users } = services
  const verify = async () => users.verify(username, password)
  const user = await guesses.password(request, username, verify, async (found) => users.isNameOfOne(username, found))
  if (user === undefined) throw new InvalidGrant('wrong user name or password')
  return services.issueTokens({
    client,
    userId: user.id,
    user,
    scopes,
    resources,
    grant: kind
  })
}

/**
 * Issues a token for a user name and a password: for legacy applications.
 * @see RFC 6749 section 4.3
 */
export const password: Grant = { ...kind, allowsPublic: false, issue }
