import type { AttemptLimits } from '@modelwire/core'
import { type AttemptLimiter, countAttempt, loginAttempt, type TryOut } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { TooManyRequests } from '../errors.ts'
import type { OAuth2Settings } from '../options/option-table.ts'

/** Counts failed guesses for the account that they are about, whichever address they come from. Each gives what was found. */
export interface GuessLimits {
  /**
   * Of a user's password: together with the logins of the API. Of two accounts, one can have the address of the other as its name:
   * `isOwn` says whether the name is that of the found account alone.
   */
  readonly password: <T>(
    request: FastifyRequest,
    name: string,
    guess: TryOut<T>,
    isOwn: (found: T) => Promise<boolean>
  ) => Promise<T | undefined>
  /** Of a client's secret. */
  readonly secret: Count
  /** Guesses of device codes, by a signed-in user. */
  readonly userCode: Count
}

/**
 * Carries out a guess about an account.
 * @throws {TooManyRequests} too many have failed: `retry-after` is the time to wait
 */
export type Count = <T>(request: FastifyRequest, account: string, guess: TryOut<T>) => Promise<T | undefined>

const refuse = (waitFor: number): Error =>
  new TooManyRequests('too many attempts: try again later', { headers: { 'retry-after': String(waitFor) } })

const free: Count = (_request, _account, guess) => guess()

const isFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 401

/** @param users name of the user model; undefined where the application checks passwords by itself */
export function limitGuesses(
  limiter: AttemptLimiter,
  users: string | undefined,
  limits: OAuth2Settings['rateLimit']
): GuessLimits {
  if (limits === false) return { password: free, secret: free, userCode: free }
  // Device codes are guessed by the account itself, from any address.
  const alike: AttemptLimits = { ...limits, accountFailures: limits.failures }
  return {
    password: (request, name, guess, isProof) => {
      const property = name.includes('@') ? 'email' : 'username'
      const attempt = loginAttempt({ model: users ?? '', name, property, address: request.ip })
      return countAttempt(limiter.begin(attempt, limits), guess, refuse, { isFailure, isProof })
    },
    secret: (request, account, guess) => {
      const attempt = { kind: 'client', account, address: request.ip, countsAtOnce: false }
      return countAttempt(limiter.begin(attempt, limits), guess, refuse, { isFailure })
    },
    userCode: (request, account, guess) => {
      const attempt = { kind: 'device', account, address: request.ip, countsAtOnce: true }
      return countAttempt(limiter.begin(attempt, alike), guess, refuse, { isFailure })
    }
  }
}
