import { type Attempt, loginAttempt } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'

/** A kind of attempt that a remote method allows. */
export interface AttemptKind {
  /** `failures`: guesses; `all`: each one sends a message. */
  readonly counts: 'failures' | 'all'
  /** What a request to a method of this user model tries; undefined where it names no account, and is refused for it. */
  readonly read: (request: FastifyRequest, model: string) => Attempt | undefined
}

const textIn = (place: unknown, name: string): string | undefined => {
  const value: unknown = typeof place === 'object' && place !== null ? Reflect.get(place, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The attempts of a method that names an account in its own way. */
const attempts =
  (kind: string, account: (request: FastifyRequest) => string | undefined): AttemptKind['read'] =>
  (request, model) => {
    const name = account(request)
    return name === undefined
      ? undefined
      : { kind: `${kind} ${model}`, account: name.toLowerCase(), address: request.ip, countsAtOnce: true }
  }

const readLogin: AttemptKind['read'] = ({ body, ip }, model) => {
  const name = textIn(body, 'email') ?? textIn(body, 'username')
  return name === undefined ? undefined : loginAttempt({ model, name, realm: textIn(body, 'realm'), address: ip })
}

/** Of the caller's own password. */
const passwordAttempts = attempts('password', ({ principal }) =>
  principal?.userId === undefined ? undefined : String(principal.userId)
)

/** Which remote methods of accounts are limited, and which attempts count for which account. */
export const attemptKinds: Readonly<Record<string, AttemptKind>> = {
  login: { counts: 'failures', read: readLogin },
  changePassword: { counts: 'failures', read: passwordAttempts },
  setPassword: { counts: 'failures', read: passwordAttempts },
  confirm: { counts: 'failures', read: attempts('confirm', ({ query }) => textIn(query, 'uid')) },
  resetPassword: { counts: 'all', read: attempts('reset', ({ body }) => textIn(body, 'email')) },
  'prototype.verify': { counts: 'all', read: attempts('verify', ({ params }) => textIn(params, 'id')) }
}
