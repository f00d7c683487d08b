import type { HookContext } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import { newTokenId } from '../tokens/token-id.ts'
import type { AccountParts } from './account-parts.ts'
import { accountSettings, storedEmail } from './account-settings.ts'
import { callOwn } from './call-own.ts'
import {
  accountsBefore,
  endLateSessions,
  endOtherSessions,
  endSessionsOfRemoved,
  rememberAccounts
} from './end-sessions.ts'
import {
  checkPasswordChange,
  hashPassword,
  modelOf,
  normalizeEmail,
  protectAccount,
  savedPart
} from './prepare-save.ts'

/** A save that can neither change who logs in nor how: nothing has to be read for it. */
function changesNoAccess({ data }: HookContext): boolean {
  return (
    data !== undefined &&
    !['email', 'password', 'emailVerified', 'verificationToken', 'realm'].some((name) => name in data)
  )
}

async function beforeSave(context: HookContext, parts: AccountParts): Promise<void> {
  const { protectAccounts } = parts.options
  if (savedPart(context) === undefined || changesNoAccess(context)) return
  const stored = context.isNewInstance === true ? [] : await accountsBefore(context)
  checkPasswordChange(context, stored)
  if (protectAccounts || stored.length === 0) protectAccount(context, stored, protectAccounts)
  normalizeEmail(context)
  await hashPassword(context, parts)
  if (context.isNewInstance !== true) rememberAccounts(context, stored)
}

/** Addresses are looked for in lower case where they are stored so. */
function normalizeQueriedEmail(context: HookContext): void {
  const where = context.query?.['where']
  if (typeof where !== 'object' || where === null || !('email' in where) || typeof where.email !== 'string') return
  where.email = storedEmail(where.email, accountSettings(modelOf(context)))
}

/**
 * Observes the accounts of a model and of those that extend it.
 * @see LoopBack 3: loopback, common/models/user.js, operation hooks
 */
export function observeAccounts({ hooks }: ModelType, parts: AccountParts): void {
  hooks.observeQuietly('before save', (context) => beforeSave(context, parts))
  hooks.observeQuietly('after save', (context) => endOtherSessions(context, parts))
  hooks.observeQuietly('before delete', (context) => endSessionsOfRemoved(context, parts))
  hooks.observeQuietly('after delete', (context) => endLateSessions(context, parts))
}

/** Lets a model whose addresses are stored in lower case find them however they are written. */
export function observeEmailCase(model: ModelType): void {
  if (!accountSettings(model).caseSensitiveEmail) model.hooks.observeQuietly('access', normalizeQueriedEmail)
}

/** Gives new tokens their ids: those that `createAccessTokenId` of the model makes, where it has one. */
export function observeTokens({ hooks, modelClass }: ModelType, parts: Pick<AccountParts, 'call'>): void {
  hooks.observeQuietly('before save', async ({ instance, isNewInstance }) => {
    if (isNewInstance !== true || instance === undefined || instance['id']) return
    instance['id'] = (await callOwn(parts, modelClass, 'createAccessTokenId', [])) ?? newTokenId()
  })
}
