import rateLimit from '@fastify/rate-limit'
import type { ModelRegistry } from '@modelwire/core'
import { type AttemptLimits, countAttempt, loginAttempt, rateLimitFields, sharedRates } from '@modelwire/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TooManyRequests } from '../errors.ts'
import type { OAuth2Settings } from '../options/oauth2-options.ts'
import { statusOf } from './send-error.ts'

const errorResponseBuilder = (): Error => new TooManyRequests('too many requests: try again later')

/** Counts failed guesses per account, whatever their address. Each method returns the result of the guess. */
export interface GuessLimits {
  /**
   * For a user's password, together with the API's logins. Of two accounts, one can have the address of the other as its
   * name: `isOwn` says whether the name belongs only to the found account.
   */
  readonly password: <T>(
    request: FastifyRequest,
    name: string,
    guess: () => Promise<T | undefined>,
    isOwn: (found: T) => Promise<boolean>
  ) => Promise<T | undefined>
  /** For a client's secret. */
  readonly secret: Count
  /** For device codes entered by a signed-in user. */
  readonly userCode: Count
}

/**
 * Runs a guess about an account.
 * @throws {TooManyRequests} too many have failed: `retry-after` is the time to wait
 */
type Count = <T>(
  request: FastifyRequest,
  account: string,
  guess: () => Promise<T | undefined>
) => Promise<T | undefined>

const refuse = (waitFor: number): Error =>
  new TooManyRequests('too many attempts: try again later', { headers: { 'retry-after': String(waitFor) } })

const free: Count = (_request, _account, guess) => guess()

const isFailure = (error: unknown): boolean => statusOf(error) === 401

/** @param users name of the user model; undefined where the application checks passwords by itself */
export function limitGuesses(
  limiter: ModelRegistry['attempts'],
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

/** The dependencies of limits per address. */
interface LimitServices {
  readonly registry: ModelRegistry
  readonly settings: { readonly options: Pick<OAuth2Settings, 'rateLimit'> }
}

/**
 * Limits how often one address may send requests to this scope, where secrets, codes and passwords can be guessed.
 * @param name that of the scope
 */
export async function limitRate(
  scope: FastifyInstance,
  { registry, settings }: LimitServices,
  name: string
): Promise<void> {
  const { rateLimit: limits } = settings.options
  if (limits === false) return
  const { max, timeWindow } = limits
  // A server that has rate limits has decorated itself already; a scope of its own has a limit of its own.
  await scope.register(rateLimit, {
    max,
    timeWindow,
    errorResponseBuilder,
    ...sharedRates(registry.shared, `oauth2 ${name}`)
  })
  scope.addHook('onSend', rateLimitFields(timeWindow))
}

/** The part of a route that @fastify/rate-limit reads. */
interface LimitedRoute {
  readonly rateLimit?: { readonly max: number; readonly timeWindow: number }
}

/** How often one address may post a form: by default as often as `@modelwire/users` allows logins. */
export function limitPage(limits: OAuth2Settings['rateLimit'], most = Infinity): LimitedRoute {
  if (limits === false) return {}
  const { max, timeWindow } = limits
  return { rateLimit: { max: Math.min(max, most), timeWindow } }
}
