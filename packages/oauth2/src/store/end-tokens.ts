import type { HookContext, Model } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import { approvalLifetime } from '../device/device-codes.ts'
import { endApprovals } from '../device/end-approvals.ts'
import type { OAuth2Parts } from '../parts.ts'
import { recordOf } from './record-of.ts'

/** What ending tokens works on. */
export type TokenEnds = Pick<OAuth2Parts, 'registry' | 'names' | 'tokens' | 'codes' | 'states'>

/** Ends all tokens of users, and all that may become some: those of one client, or of all. */
export async function endTokens(
  { states, tokens, codes }: Pick<TokenEnds, 'states' | 'tokens' | 'codes'>,
  userIds: readonly unknown[],
  clientId?: string
): Promise<void> {
  if (userIds.length === 0) return
  const users = { inq: [...userIds] }
  await codes.revokeUser(users, clientId)
  await endApprovals(states, userIds, approvalLifetime, clientId)
  await tokens.revokeUser(users, clientId)
}

const removedKey = 'oauthPermissionsRemoved'

/** Users by the client that they had permitted something to. */
type Permitted = ReadonlyMap<string, readonly unknown[]>

/** The permissions that are about to be removed. */
async function rememberPermissions(context: HookContext): Promise<void> {
  const { modelType } = context.Model as typeof Model // core puts the class of a model there
  const rows = await repository.find(modelType, { where: context.where ?? {} }, serverCall())
  const permitted = new Map<string, unknown[]>()
  for (const { appId, userId } of rows.map(recordOf)) {
    const users = permitted.get(String(appId)) ?? []
    permitted.set(String(appId), [...users, userId])
  }
  context.hookState[removedKey] = permitted
}

/**
 * Revokes tokens with their reason: those of a user whose password changes, and those that a user permitted to a
 * client, once the permission is removed, by whatever code.
 */
export function endTokensWithTheirReason(parts: TokenEnds): void {
  const { registry, names } = parts
  registry.sessionEnds.push(async (model, userIds) => {
    if (model.name === names.users) await endTokens(parts, userIds)
  })
  const { hooks } = registry.typeOf(names.permissions)
  hooks.observeQuietly('before delete', rememberPermissions)
  hooks.observeQuietly('after delete', async ({ hookState }) => {
    const permitted = hookState[removedKey] as Permitted | undefined // remembered above
    for (const [clientId, users] of permitted ?? []) await endTokens(parts, users, clientId)
  })
}
