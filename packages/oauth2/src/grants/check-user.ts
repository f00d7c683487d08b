import { InvalidGrant } from '../errors.ts'
import type { ServerParts } from '../server-parts.ts'

/** @throws {InvalidGrant} the user who permitted it is gone since; a client that acts for itself has none */
export async function checkUser({ users }: ServerParts, userId: unknown): Promise<void> {
  if (userId !== undefined && (await users.find(userId)) === undefined)
    throw new InvalidGrant('the user no longer exists')
}
