import { createHash } from 'node:crypto'

/** How many attempts may fail before each further one has to wait, longer each time. */
export interface AttemptLimits {
  /** Of one address at one account. */
  readonly failures: number
  /** Of all addresses at one account. */
  readonly accountFailures: number
}

/** One attempt, such as a login. */
export interface Attempt {
  /** What is tried, such as `login`: attempts of one kind count together. */
  readonly kind: string
  /** The account as the client names it, whether there is one or not. */
  readonly account: string
  /** Where the request comes from. */
  readonly address: string
  /**
   * Attempts that run at the same time count before they have failed, so that many at once are not free. False for programs, which
   * prove who they are many times at once.
   */
  readonly countsAtOnce: boolean
}

/** An attempt that may go on. One of these is called when it is over. */
export interface BegunAttempt {
  readonly waitFor?: undefined
  readonly fail: () => void
  /** The address is the account's own from now on. */
  readonly succeed: () => void
  /** It neither failed nor succeeded. */
  readonly takeBack: () => void
}

/** An attempt that comes too soon. */
export interface EarlyAttempt {
  /** Seconds. */
  readonly waitFor: number
}

/** Counts attempts that failed. */
export interface AttemptLimiter {
  /** @param now milliseconds since 1970 */
  readonly begin: (attempt: Attempt, limits: AttemptLimits, now?: number) => BegunAttempt | EarlyAttempt
}

interface Counter {
  failures: number
  last: number
  /** A right attempt came from this address. */
  isKnown: boolean
}

/** A counter with its limit. */
interface Limited {
  readonly counter: Counter
  readonly free: number
  /** Milliseconds. */
  readonly longestPause: number
}

const firstPause = 1000
/** One address waits up to a quarter of an hour; a new address waits no longer than a minute for others. */
const longestPauses = { address: 900_000, account: 60_000 } as const
/** Failures are forgotten when a day passed without one. */
const memory = 86_400_000

/** Names may be long: what is kept of them is not. */
const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** When the next attempt may be made. */
function nextTime({ counter, free, longestPause }: Limited): number {
  const { failures, last } = counter
  return failures < free ? 0 : last + Math.min(firstPause * 2 ** Math.min(failures - free, 30), longestPause)
}

function addFailures(limited: readonly Limited[], now: number): void {
  for (const { counter } of limited) {
    counter.failures++
    counter.last = now
  }
}

function takeBackFailures(limited: readonly Limited[]): void {
  for (const { counter } of limited) counter.failures = Math.max(0, counter.failures - 1)
}

/** The counters, of which the least recently used are dropped first. */
function makeCounters(size: number): (key: string, now: number) => Counter {
  const counters = new Map<string, Counter>()
  return (key, now) => {
    const counter = counters.get(key) ?? { failures: 0, last: now, isKnown: false }
    if (now - counter.last > memory) counter.failures = 0
    counters.delete(key)
    counters.set(key, counter)
    const [oldest] = counters.keys()
    if (counters.size > size && oldest !== undefined) counters.delete(oldest)
    return counter
  }
}

/**
 * Makes the counter of attempts of one process. It counts by what clients write, so that it does not reveal whether an
 * account exists. Failures of one address at an account make that address wait; many failures of all addresses make new
 * addresses wait, for a short time, and never one from which the account's owner has logged in: no one can lock others
 * out of their accounts.
 * @param size counters that are kept in memory
 */
export function makeAttemptLimiter(size = 100_000): AttemptLimiter {
  const counterAt = makeCounters(size)
  return {
    begin({ kind, account, address, countsAtOnce }, { failures, accountFailures }, now = Date.now()) {
      const pair = counterAt(keyOf(kind, account, address), now)
      const whole = counterAt(keyOf(kind, account), now)
      const ofAddress: Limited = { counter: pair, free: failures, longestPause: longestPauses.address }
      const ofAll: Limited = { counter: whole, free: accountFailures, longestPause: longestPauses.account }
      const counted = pair.isKnown ? [ofAddress] : [ofAddress, ofAll]
      const next = Math.max(...counted.map(nextTime))
      if (next > now) return { waitFor: Math.ceil((next - now) / 1000) }
      const isCounted = countsAtOnce && !pair.isKnown
      if (isCounted) addFailures(counted, now)
      const takeBack = (): void => {
        if (isCounted) takeBackFailures(counted)
      }
      return {
        fail: () => {
          if (!isCounted) addFailures(counted, now)
        },
        takeBack,
        succeed: () => {
          takeBack()
          Object.assign(pair, { failures: 0, isKnown: true })
        }
      }
    }
  }
}

/** What an attempt came to: `undefined` for a failure. */
export type TryOut<T> = () => Promise<T | undefined>

/**
 * Carries out an attempt and counts it when it fails: gives nothing, or throws what `isFailure` knows.
 * @param refuse makes the error of an attempt that comes too soon
 */
export async function countAttempt<T>(
  begun: BegunAttempt | EarlyAttempt,
  tryOut: TryOut<T>,
  refuse: (waitFor: number) => Error,
  isFailure: (error: unknown) => boolean = () => false
): Promise<T | undefined> {
  if (begun.waitFor !== undefined) throw refuse(begun.waitFor)
  try {
    const found = await tryOut()
    if (found === undefined) begun.fail()
    else begun.succeed()
    return found
  } catch (error) {
    if (isFailure(error)) begun.fail()
    else begun.takeBack()
    throw error
  }
}
