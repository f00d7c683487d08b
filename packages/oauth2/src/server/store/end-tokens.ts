import type { HookContext, Model, ModelClass, ModelRegistry } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import type { CodeVault } from './code-vault.ts'
import { approvalLifetime, endApprovals } from './device-codes.ts'
import { parameterOf } from './grant-facts.ts'
import type { ModelNames } from './models.ts'
import { dateOf, recordOf } from './records.ts'
import type { StateStore } from './states.ts'
import type { TokenVault } from './token-vault.ts'

const batch = 500

/** The stores in which tokens are revoked. */
interface TokenEnds {
  readonly registry: ModelRegistry
  readonly names: ModelNames
  readonly tokens: TokenVault
  readonly codes: CodeVault
  readonly states: StateStore
}

/** Revokes all tokens of users, and everything that may become some: for one client, or for all. */
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

/** Users by the client that they had consented to. */
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
 * Revokes tokens along with their reason: those of a user whose password changes, and those that a user consented to for a
 * client, once the consent is removed, by any code.
 */
export function endTokensWithTheirReason(services: TokenEnds): void {
  const { registry, names } = services
  registry.sessionEnds.push(async (model, userIds) => {
    if (model.name === names.users) await endTokens(services, userIds)
  })
  const { hooks } = registry.typeOf(names.permissions)
  hooks.observeQuietly('before delete', rememberPermissions)
  hooks.observeQuietly('after delete', async ({ hookState }) => {
    const permitted = hookState[removedKey] as Permitted | undefined // remembered above
    for (const [clientId, users] of permitted ?? []) await endTokens(services, users, clientId)
  })
}

/** Removes rows whose refresh token, too, is of no more use. */
async function purgeRefreshable(tokens: ModelClass, now: Date): Promise<number> {
  let removed = 0
  let after = ''
  for (;;) {
    const where = { and: [{ expiredAt: { lt: now } }, { refreshToken: { neq: null } }, { id: { gt: after } }] }
    const rows = (await tokens.find({ where, order: 'id ASC', limit: batch })).map(recordOf)
    const dead = rows.filter((row) => {
      const end = dateOf({ at: parameterOf(row, 'refresh_expires_at') }, 'at')
      return end !== undefined && end < now
    })
    if (dead.length > 0) removed += (await tokens.destroyAll({ id: { inq: dead.map(({ id }) => id) } })).count
    if (rows.length < batch) return removed
    after = String(rows.at(-1)?.['id'])
  }
}

/** Removes tokens, codes and states that have expired; returns their number. */
export async function purgeExpired(registry: ModelRegistry, names: ModelNames, now: Date): Promise<number> {
  const tokens = registry.get(names.accessTokens)
  const expired = { expiredAt: { lt: now } }
  const counts = [
    (await tokens.destroyAll({ ...expired, refreshToken: null })).count,
    await purgeRefreshable(tokens, now),
    (await registry.get(names.authorizationCodes).destroyAll(expired)).count,
    registry.shared.facts === undefined ? (await registry.get('OAuthState').destroyAll(expired)).count : 0
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}
