import type { HookContext, Model } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { type AccountParts, tokensOf } from './account-parts.ts'
import { accountSettings } from './account-settings.ts'
import { modelOf, savedPart } from './prepare-save.ts'

/** An account before it is saved. */
interface Before {
  readonly id: unknown
  readonly email: unknown
  readonly password: unknown
}

type Row = Readonly<Record<string, unknown>>

const stateKey = 'accountsBefore'

function beforeOf(model: ModelType, row: Row): Before {
  return { id: repository.idOf(model, row), email: row['email'], password: row['password'] }
}

/** The stored accounts that a save affects. */
export async function accountsBefore(context: HookContext): Promise<readonly Model[]> {
  const model = modelOf(context)
  const { instance, where } = context
  const id = instance === undefined ? undefined : repository.idOf(model, instance)
  const condition = where ?? (id === undefined || id === null ? undefined : repository.whereId(model, id))
  return condition === undefined ? [] : repository.find(model, { where: condition }, serverCall())
}

/** Remembers the previous accounts, and resets the verification of an email address that changes. */
export function rememberAccounts(context: HookContext, stored: readonly Model[]): void {
  const model = modelOf(context)
  const part = savedPart(context)
  const before = stored.map((row) => beforeOf(model, row))
  context.hookState[stateKey] = before
  const email = part?.['email']
  const isOther = context.data === undefined || Boolean(email)
  if (part === undefined || !isOther || before.every((account) => account.email === email)) return
  if (!accountSettings(model).emailVerificationRequired) return
  part['emailVerified'] = false
  const { verificationToken: token } = part
  // A token that was sent to the old address does not verify the new one.
  if (stored.some(({ verificationToken: old }) => old && (token === undefined || token === old)))
    part['verificationToken'] = null
}

/** Ends the sessions of users whose password or email address changed, except for the session of the caller. */
export async function endOtherSessions(context: HookContext, parts: AccountParts): Promise<void> {
  const before = context.hookState[stateKey]
  if (!Array.isArray(before) || context.options['preserveAccessTokens'] === true) return
  const { email, password } = context.instance ?? context.data ?? {}
  const hasNewPassword = (account: Before): boolean => Boolean(password && account.password !== password)
  const isChanged = (account: Before): boolean => Boolean(email && account.email !== email) || hasNewPassword(account)
  const accounts = (before as Before[]).filter(isChanged) // remembered above
  const idsOf = (list: readonly Before[]): readonly unknown[] => list.map(({ id }) => id)
  await endSessionsOf(parts, modelOf(context), idsOf(accounts), context.options['accessToken'])
  await endElsewhere(modelOf(context), idsOf(accounts.filter(hasNewPassword)))
}

/** Ends what other packages keep of these users. */
async function endElsewhere(model: ModelType, ids: readonly unknown[]): Promise<void> {
  if (ids.length > 0) await Promise.all(model.registry.sessionEnds.map((end) => end(model, ids)))
}

/** Ends all sessions of these users but the one of `kept`. */
async function endSessionsOf(
  { registry, options: { accessTokenModel } }: AccountParts,
  userModel: ModelType,
  ids: readonly unknown[],
  kept?: unknown
): Promise<void> {
  if (ids.length === 0) return
  const { model, foreignKey, discriminator } = tokensOf(registry, userModel, accessTokenModel)
  if (model.collection === undefined) return
  // A token is a record; whatever else stands there has no id.
  const keptId = typeof kept === 'object' && kept !== null ? repository.idOf(model, kept as Row) : undefined
  const where = {
    [foreignKey]: { inq: ids },
    ...(keptId === undefined ? {} : { [model.idProperty?.name ?? 'id']: { neq: keptId } }),
    ...(discriminator === undefined ? {} : { [discriminator]: userModel.name })
  }
  await repository.destroyAll(model, where, serverCall())
}

const removedKey = 'accountsRemoved'

/** Ends the sessions of users that are about to be removed. */
export async function endSessionsOfRemoved(context: HookContext, parts: AccountParts): Promise<void> {
  const model = modelOf(context)
  const users = await repository.find(model, { where: context.where ?? {} }, serverCall())
  const ids = users.map((user) => repository.idOf(model, user))
  context.hookState[removedKey] = ids
  await endSessionsOf(parts, model, ids)
}

/** Ends sessions that began while their users were being removed. */
export async function endLateSessions(context: HookContext, parts: AccountParts): Promise<void> {
  const ids = context.hookState[removedKey]
  if (Array.isArray(ids)) await endSessionsOf(parts, modelOf(context), ids)
}
