import type { Attempt } from './attempt-limiter.ts'
import { Type } from '@sinclair/typebox'
import { isIP } from 'node:net'
import { type AnswerHook, answerHook } from '../requests/answers.ts'
import type { Awaitable } from '../promises.ts'
import type { Hits, SharedState } from './shared-state.ts'

/** The callback of @fastify/rate-limit: called with the number of requests, and milliseconds until they are forgotten. */
type Answer = (error: Error | null, result?: { readonly current: number; readonly ttl: number }) => void

/** The part of a route with its own limits that it reads. */
interface Route {
  readonly routeInfo?: { readonly method?: string | readonly string[]; readonly url?: string }
}

/** A store of @fastify/rate-limit. */
interface RateStore {
  readonly incr: (key: string, answer: Answer, timeWindow: number) => void
  readonly child: (route: object) => RateStore
}

/** Makes such a store. */
type RateStoreClass = new (options: object) => RateStore

const counted = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** Groups of an address of version 6 that name its network: within it, one host has as many addresses as it likes. */
const networkGroups = 4

/**
 * The options of plugins that count attempts per account. Ten typing errors are not an attack; a hundred wrong passwords
 * for one account are.
 */
export const attemptOptions = {
  failures: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 10,
      unit: 'attempts',
      description:
        'failed attempts of one address at one account after which each further one must wait, longer each time'
    })
  ),
  accountFailures: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      unit: 'attempts',
      description: 'failed attempts of all addresses together; an address that used the account before is exempt'
    })
  )
}

/** The facts of a login for the limiter. */
export interface LoginFacts {
  /** Name of the user model. */
  readonly model: string
  /** The name or email address of the account, as looked up: the caller must not learn which names belong to one account. */
  readonly name: string
  /** The property that contains it. */
  readonly property: 'email' | 'username'
  readonly realm?: string | undefined
  readonly address: string
}

/**
 * A name without what databases may ignore when they compare strings: case, accents, spaces, and invisible characters. An
 * account that they find by several names is counted as one.
 */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}\p{Z}]/gu, '')
    .toLowerCase()

/**
 * A login attempt, on any path. Failures at similar names are counted together; a success belongs to one name, since
 * another account may have a similar one, or have it in the other property.
 */
export function loginAttempt({ model, name, property, realm = '', address }: LoginFacts): Attempt {
  return {
    kind: `login ${model}`,
    account: plainName(`${realm}:${name}`),
    name: JSON.stringify([property, realm, name]),
    address,
    countsAtOnce: true
  }
}

/** The groups of an address of version 6, zeros that are left out included. */
function groupsOf(address: string): readonly string[] {
  const [bare = ''] = address.split('%')
  const [head = [], tail] = bare.split('::').map((part) => (part === '' ? [] : part.split(':')))
  if (tail === undefined) return head
  // An address of version 4 at the end stands for two groups.
  const length = head.length + tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0)
  return [...head, ...Array.from({ length: Math.max(0, 8 - length) }, () => '0'), ...tail]
}

/**
 * The key for counting an address's attempts, as `@fastify/rate-limit` counts requests: an IPv4 address itself, the /64
 * network of an IPv6 address, whose owner has all 2^64 addresses in it.
 * @see RFC 6177; RFC 4291 section 2.5.5.2, addresses of version 4 in those of version 6
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [, version4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (version4 !== undefined) return version4
  const network = groupsOf(address).slice(0, networkGroups)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/**
 * Makes an `onSend` hook that adds `RateLimit-Policy` and `RateLimit` to the responses that @fastify/rate-limit counted, in
 * addition to its own `x-ratelimit-…`; other responses are unchanged. `timeWindow` is the limit's, in milliseconds.
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
export function rateLimitFields(timeWindow: number): AnswerHook {
  const seconds = Math.ceil(timeWindow / 1000)
  return answerHook('rate limit fields', (_request, reply) => {
    const [quota, remaining, reset] = counted.map((name) => String(reply.getHeader(name)))
    if (reply.hasHeader(counted[0]))
      void reply
        .header('ratelimit-policy', `"default";q=${quota};w=${seconds}`)
        .header('ratelimit', `"default";r=${remaining};t=${reset}`)
  })
}

async function tell(hits: Awaitable<Hits>, answer: Answer): Promise<void> {
  try {
    const { count, left } = await hits
    answer(null, { current: count, ttl: left })
  } catch (error) {
    answer(error instanceof Error ? error : new Error(String(error)))
  }
}

/**
 * The options that let @fastify/rate-limit count requests across all processes; empty if nothing is shared: its own store
 * counts then.
 * @param scope names what is limited: limits of different scopes do not count together
 */
export function sharedRates(shared: SharedState, scope: string): { readonly store?: RateStoreClass } {
  if (!shared.isShared) return {}
  const makeStore = (place: string): RateStore => ({
    incr: (key, answer, timeWindow) => void tell(shared.cells.count(`rate ${place} ${key}`, timeWindow), answer),
    child: (route) => {
      const { method = '', url = '' } = (route as Route).routeInfo ?? {} // as @fastify/rate-limit hands it over
      return makeStore(`${scope} ${[method].flat().join()} ${url}`)
    }
  })
  function Store(this: unknown): RateStore {
    return makeStore(scope)
  }
  return { store: Store as unknown as RateStoreClass } // called with `new`, a function gives the object that it returns
}
