import { ServerError } from '../../errors.ts'
import type { GrantKind } from '../../options/grant-kind.ts'
import type { GetTtl, Lifetimes } from '../../options/option-functions.ts'
import type { Settings } from '../../options/settings.ts'

/** The owner of a token or code. */
interface LifetimeRequest {
  readonly kind: 'token' | 'code'
  readonly clientId: string
  readonly userId?: unknown
  readonly scopes: readonly string[]
  readonly grant: Pick<GrantKind, 'type' | 'isForClient'>
}

/** Seconds. Those of LoopBack's component, and what today's servers have. */
const original = { token: 1_209_600, clientToken: 1_209_600, code: 300 } as const

const native = { token: 3600, clientToken: 600, code: 60 } as const

const refreshDefault = 1_209_600

/** The key of a lifetime in `ttl`. */
const keyOf = ({ kind, grant }: LifetimeRequest): 'token' | 'clientToken' | 'code' =>
  kind === 'token' && grant.isForClient ? 'clientToken' : kind

const asObject = (ttl: Settings['options']['ttl']): Lifetimes => (typeof ttl === 'object' ? ttl : {})

function ask(getTtl: GetTtl, request: LifetimeRequest): number {
  const { kind, clientId, userId, scopes, grant } = request
  return getTtl(kind, clientId, userId, scopes, { grantType: grant.type })
}

function configured({ options: { getTTL, ttl }, rules }: Settings, request: LifetimeRequest): number {
  if (getTTL !== undefined) return ask(getTTL, request)
  if (typeof ttl === 'function') return ask(ttl, request)
  if (typeof ttl === 'number') return ttl
  const lifetimes = asObject(ttl)
  const key = keyOf(request)
  return (
    lifetimes[key] ??
    (key === 'clientToken' ? lifetimes.token : undefined) ??
    (rules.keepsOriginalLifetimes ? original : native)[key]
  )
}

/**
 * Lifetime of a token or code in seconds.
 * @throws {ServerError} `getTTL` gives no positive number
 */
export function lifetimeOf(settings: Settings, request: LifetimeRequest): number {
  const seconds = configured(settings, request)
  if (typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)) return seconds
  throw new ServerError('getTTL must return a positive number of seconds')
}

/** Lifetime of a refresh token in seconds. */
export function refreshLifetime({ options: { ttl } }: Settings): number {
  return asObject(ttl).refreshToken ?? refreshDefault
}
