import type { UserFacts } from '../options/user-functions.ts'
import type { GrantRequest } from './grant.ts'

/**
 * The user of this name, if there is one who has permitted these scopes to the client. The answer does not reveal which
 * of both fails.
 */
export async function permittedUser(
  { parts: { users, permissions }, client }: GrantRequest,
  name: string,
  scopes: readonly string[]
): Promise<UserFacts | undefined> {
  const user = await users.findByName(name)
  const isPermitted = await permissions.covers(client.id, user?.id ?? null, scopes)
  return isPermitted ? user : undefined
}
