import { type Awaitable, type Model, type ModelRegistry, type ModelType, repository } from '@modelwire/core'
import { accountSettings } from '../accounts/account-settings.ts'
import { userModelOf } from './is-alive.ts'

/**
 * Tokens of a session. Those with scopes are meant for one thing, and one that lives no longer than the token of a reset may
 * be one: nothing else tells them apart.
 */
function isOfSession(registry: ModelRegistry, model: ModelType, token: Model): boolean {
  const { ttl, scopes } = token
  const userModel = userModelOf(registry, model, token)
  if (userModel === undefined || (scopes !== undefined && scopes !== null)) return false
  return typeof ttl === 'number' && ttl > accountSettings(userModel).resetPasswordTokenTTL
}

function isInSecondHalf({ ttl, created }: Model, now: number): boolean {
  return created instanceof Date && (now - created.getTime()) / 1000 >= Number(ttl) / 2
}

async function startAnew(model: ModelType, token: Model, now: number): Promise<Model> {
  const created = new Date(now)
  // Asks for the old time as well: a token that ended meanwhile stays ended, and of several requests one writes.
  const where = { ...repository.whereId(model, repository.idOf(model, token)), created: token['created'] }
  const { count } = await repository.updateAll(model, where, { created }, {})
  if (count > 0) token['created'] = created
  return token
}

/**
 * A token whose life starts anew when it is used in its second half, so that a session is written once in half of its life.
 * Gives no promise for one that stays as it is.
 * @param now milliseconds since 1970
 */
export function renewToken(registry: ModelRegistry, model: ModelType, token: Model, now: number): Awaitable<Model> {
  if (!isInSecondHalf(token, now) || !isOfSession(registry, model, token)) return token
  return startAnew(model, token, now)
}
