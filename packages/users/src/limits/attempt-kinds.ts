import type { ModelType } from '@modelwire/core/connector'
import { loginAttempt, plainName } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import { accountSettings, storedEmail } from '../accounts/account-settings.ts'
import { splitRealm } from '../accounts/credentials.ts'

/** A kind of attempt through a remote method. */
export interface AttemptKind {
  /** `failures`: guesses; `all`: each one sends a message. */
  readonly counts: 'failures' | 'all'
  /**
   * Returns what a request to a method of this user model attempts; undefined if it names no account, and is refused for
   * that.
   */
  readonly read: (request: FastifyRequest, model: ModelType) => ReturnType<typeof loginAttempt> | undefined
}

const textIn = (place: unknown, name: string): string | undefined => {
  const value: unknown = typeof place === 'object' && place !== null ? Reflect.get(place, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The attempts of a method that names an account in its own way. */
const attempts =
  (kind: string, account: (request: FastifyRequest) => string | undefined): AttemptKind['read'] =>
  (request, { name: model }) => {
    const name = account(request)
    return name === undefined
      ? undefined
      : { kind: `${kind} ${model}`, account: plainName(name), address: request.ip, countsAtOnce: true }
  }

/**
 * The name as it is looked for. A realm counts where accounts are looked for by it: elsewhere a client could name another one each
 * time. With a delimiter the name is the one that would be written with it.
 */
const readLogin: AttemptKind['read'] = ({ body, ip }, model) => {
  const property = textIn(body, 'email') === undefined ? 'username' : 'email'
  const written = textIn(body, property)
  if (written === undefined) return undefined
  const settings = accountSettings(model)
  const { realmRequired, realmDelimiter: delimiter } = settings
  const { realm = textIn(body, 'realm'), name } = splitRealm(written, delimiter)
  const whole = delimiter === undefined || realm === undefined ? name : `${realm}${delimiter}${name}`
  return loginAttempt({
    model: model.name,
    property,
    name: property === 'email' ? storedEmail(whole, settings) : whole,
    realm: realmRequired && delimiter === undefined ? realm : undefined,
    address: ip
  })
}

/** Of the caller's own password. */
const passwordAttempts = attempts('password', ({ principal }) =>
  principal?.userId === undefined ? undefined : String(principal.userId)
)

/** The rate-limited remote methods of accounts, and which attempts count for which account. */
export const attemptKinds: Readonly<Record<string, AttemptKind>> = {
  login: { counts: 'failures', read: readLogin },
  changePassword: { counts: 'failures', read: passwordAttempts },
  setPassword: { counts: 'failures', read: passwordAttempts },
  confirm: { counts: 'failures', read: attempts('confirm', ({ query }) => textIn(query, 'uid')) },
  resetPassword: { counts: 'all', read: attempts('reset', ({ body }) => textIn(body, 'email')) },
  'prototype.verify': { counts: 'all', read: attempts('verify', ({ params }) => textIn(params, 'id')) }
}
