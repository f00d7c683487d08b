import type { MethodSpec, OperationContext } from '@modelwire/core'
import type { Operation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
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
/** What a password is in documents: sent, never answered. */
const secret = { type: 'string', format: 'password', writeOnly: true } as const

const field = (arg: string): MethodSpec => ({
  arg,
  type: 'string',
  required: true,
  http: { source: 'form' },
  documentedSchema: secret
})

const credentialsSchema = {
  type: 'object',
  properties: {
    email: { type: 'string', description: 'or username' },
    username: { type: 'string' },
    realm: { type: 'string' },
    password: secret,
    ttl: { type: 'integer', description: 'lifetime of the token in seconds' }
  },
  required: ['password']
} as const

const tokenSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'the access token' },
    ttl: { type: 'number', description: 'its lifetime in seconds' },
    created: { type: 'string', format: 'date-time' },
    userId: { type: ['string', 'number'] },
    scopes: { type: ['array', 'null'], items: { type: 'string' } },
    user: { type: 'object', description: 'the user, if include asks for it' }
  },
  required: ['id', 'ttl', 'userId']
} as const

const resetSchema = {
  type: 'object',
  properties: { email: { type: 'string' }, realm: { type: 'string' } },
  required: ['email']
} as const

const loginText: NonNullable<Operation['loopbackText']> = {
  summary: 'Login a user with username/email and password.',
  arguments: {
    include: 'Related objects to include in the response. See the description of return value for more details.'
  },
  answer: {
    description:
      'The response body contains properties of the AccessToken created on login.\n' +
      'Depending on the value of `include` parameter, the body may contain additional properties:\n\n' +
      '  - `user` - `U+007BUserU+007D` - Data of the currently logged in user. (`include=user`)\n\n',
    type: 'object'
  }
}

const session: Readonly<Record<string, MethodSpec>> = {
  login: {
    description: 'Log in a user by username or email and password',
    loopbackText: loginText,
    accepts: [
      {
        arg: 'credentials',
        type: 'object',
        required: true,
        http: { source: 'body' },
        documentedSchema: credentialsSchema
      },
      { arg: 'include', type: ['string'], http: { source: 'query' }, description: 'user: also return the user' }
    ],
    returns: {
      arg: 'accessToken',
      type: 'object',
      root: true,
      description: 'The new token',
      documentedSchema: tokenSchema
    },
    returnsSecret: true,
    http: { verb: 'post' }
  },
  logout: {
    description: 'Log out: revoke the token of this request',
    loopbackText: { summary: 'Logout a user with access token.' },
    accepts: [{ arg: 'access_token', type: 'string', http: tokenIdOf }],
    http: { verb: 'all' }
  }
}

const verification: Readonly<Record<string, MethodSpec>> = {
  'prototype.verify': {
    description: 'Send a message with which the user can confirm the email address',
    loopbackText: { summary: "Trigger user's identity verification with configured verifyOptions" },
    accepts: [{ arg: 'verifyOptions', type: 'object', http: ownVerifyOptions }, options],
    http: { verb: 'post' }
  },
  confirm: {
    description: 'Confirm an email address with the token that was sent there',
    loopbackText: { summary: 'Confirm a user registration with identity verification token.' },
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
    description: 'Request a token with which a user can set a new password',
    loopbackText: { summary: 'Reset password for a user with email.' },
    accepts: [
      { arg: 'options', type: 'object', required: true, http: { source: 'body' }, documentedSchema: resetSchema }
    ],
    http: { verb: 'post', path: '/reset' }
  },
  changePassword: {
    description: "Change the caller's password",
    loopbackText: { summary: "Change a user's password." },
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
    description: "Set the caller's password with a reset token",
    loopbackText: { summary: "Reset user's password via a password-reset token." },
    accepts: [caller, field('newPassword'), options],
    http: { verb: 'post', path: '/reset-password' },
    ...scopes
  }
  return { ...session, ...verification, ...passwords, setPassword }
}
