import type { MethodSpec, ModelType, OperationContext } from '@modelwire/core'
import { OtherUserModel } from '../errors.ts'
import { accountSettings } from './account-settings.ts'

function tokenOf({ options }: OperationContext): object | undefined {
  const token = options['accessToken']
  return typeof token === 'object' && token !== null ? token : undefined
}

/** The user behind the token of a call. @throws {OtherUserModel} the token is of a user of another model */
function callerOf(context: OperationContext): unknown {
  const token = tokenOf(context)
  if (token === undefined || !('userId' in token)) return undefined
  const isOther =
    'principalType' in token &&
    typeof token.principalType === 'string' &&
    token.principalType !== context.operation.model.name
  if (isOther) throw new OtherUserModel('the token belongs to a user of another model')
  return token.userId
}

function tokenIdOf(context: OperationContext): unknown {
  const token = tokenOf(context)
  return token !== undefined && 'id' in token ? token.id : undefined
}

/** LB3: `getVerifyOptions` may be the application's own; what it needs to know it finds by itself, at once. */
function ownVerifyOptions({ operation }: OperationContext): unknown {
  const { modelClass } = operation.model
  const read: unknown = Reflect.get(modelClass, 'getVerifyOptions')
  return typeof read === 'function' ? Reflect.apply(read, modelClass, []) : {}
}

const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' }
const caller = { arg: 'id', type: 'any', http: callerOf }
const field = (arg: string): MethodSpec => ({ arg, type: 'string', required: true, http: { source: 'form' } })

const session: Readonly<Record<string, MethodSpec>> = {
  login: {
    description: 'Log a user in by username or email and password',
    accepts: [
      { arg: 'credentials', type: 'object', required: true, http: { source: 'body' } },
      { arg: 'include', type: ['string'], http: { source: 'query' }, description: 'user: show the user, too' }
    ],
    returns: { arg: 'accessToken', type: 'object', root: true, description: 'The new token' },
    http: { verb: 'post' }
  },
  logout: {
    description: 'Log out: end the life of the token of this request',
    accepts: [{ arg: 'access_token', type: 'string', http: tokenIdOf }],
    http: { verb: 'all' }
  }
}

const verification: Readonly<Record<string, MethodSpec>> = {
  'prototype.verify': {
    description: 'Send a message that lets the user confirm the email address',
    accepts: [{ arg: 'verifyOptions', type: 'object', http: ownVerifyOptions }, options],
    http: { verb: 'post' }
  },
  confirm: {
    description: 'Confirm an email address by the token that was sent there',
    accepts: [
      { arg: 'uid', type: 'string', required: true },
      { arg: 'token', type: 'string', required: true },
      { arg: 'redirect', type: 'string' }
    ],
    http: { verb: 'get', path: '/confirm' }
  }
}

const passwords: Readonly<Record<string, MethodSpec>> = {
  resetPassword: {
    description: 'Ask for a token that lets a user set a new password',
    accepts: [{ arg: 'options', type: 'object', required: true, http: { source: 'body' } }],
    http: { verb: 'post', path: '/reset' }
  },
  changePassword: {
    description: "Change the caller's password",
    accepts: [caller, field('oldPassword'), field('newPassword'), options],
    http: { verb: 'post', path: '/change-password' }
  }
}

/**
 * The remote methods of accounts.
 * @see LoopBack 3: loopback, common/models/user.js, setup
 */
export function accountMethods(model: ModelType): Readonly<Record<string, MethodSpec>> {
  const scopes = accountSettings(model).restrictResetPasswordTokenScope ? { accessScopes: ['reset-password'] } : {}
  const setPassword: MethodSpec = {
    description: "Set the caller's password by the token of a reset",
    accepts: [caller, field('newPassword'), options],
    http: { verb: 'post', path: '/reset-password' },
    ...scopes
  }
  return { ...session, ...verification, ...passwords, setPassword }
}
