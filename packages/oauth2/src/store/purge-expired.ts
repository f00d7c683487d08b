import type { ModelClass, ModelRegistry } from '@modelwire/core'
import type { ModelNames } from '../models/model-names.ts'
import { parameterOf } from './facts.ts'
import { dateOf, recordOf } from './record-of.ts'

const batch = 500

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

/** Removes tokens, codes and states that have expired; returns how many. */
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
