import type { Model } from '@modelwire/core'
import { type Awaitable, type Registry, type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import { accountSettings } from '../accounts/account-settings.ts'
import { isOfSession, sessionStart, userModelOf } from './is-alive.ts'

/** Only its lifetime distinguishes the token of a reset: one that lives no longer may be one. */
function outlivesResets(registry: Registry, model: ModelType, token: Model): boolean {
  const userModel = userModelOf(registry, model, token)
  return userModel !== undefined && Number(token['ttl']) > accountSettings(userModel).resetPasswordTokenTTL
}

function isInSecondHalf({ ttl, created }: Model, now: number): boolean {
  return created instanceof Date && (now - created.getTime()) / 1000 >= Number(ttl) / 2
}

async function startAnew(model: ModelType, token: Model, now: number, keepsStart: boolean): Promise<Model> {
  const created = new Date(now)
  const began = keepsStart ? { [sessionStart]: token[sessionStart] ?? token['created'] } : {}
  // The condition includes the old time: a token that ended meanwhile stays ended, and of several requests one writes.
  const where = { ...repository.whereId(model, repository.idOf(model, token)), created: token['created'] }
  const { count } = await repository.updateAll(model, where, { created, ...began }, serverCall())
  if (count > 0) Object.assign(token, { created, ...began })
  return token
}

/**
 * A token whose life starts anew when it is used in its second half, so that a session is written once in half of its life.
 * Gives no promise for one that stays as it is.
 * @param now milliseconds since 1970
 * @param keepsStart notes when the session began
 */
export function renewToken(
  registry: Registry,
  model: ModelType,
  token: Model,
  now: number,
  keepsStart: boolean
): Awaitable<Model> {
  if (!isInSecondHalf(token, now) || !isOfSession(token) || !outlivesResets(registry, model, token)) return token
  return startAnew(model, token, now, keepsStart)
}
