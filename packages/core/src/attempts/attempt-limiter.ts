import { createHash } from 'node:crypto'
import type { Cells } from '../shared-state/cells.ts'
import { makeLocalCells } from '../shared-state/local-cells.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { networkOf } from './network-of.ts'
import { askCounter, changeCounters, type Counter, type Limited } from './attempt-counter.ts'

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
  /** The account as the client names it, whether there is one or not. Names that may be of one account are the same text. */
  readonly account: string
  /**
   * What accounts are looked for by, where `account` may be several names. An attempt that succeeds is of the account with this name: it
   * must not let attempts at another one go on.
   */
  readonly name?: string
  /** Where the request comes from. */
  readonly address: string
  /**
   * Attempts that run at the same time count before they have failed, so that many at once are not free. False for programs, which
   * prove who they are many times at once.
   */
  readonly countsAtOnce: boolean
}

/** An attempt that may go on. One of these is called when it is over; where attempts are shared, it has to be waited for. */
export interface BegunAttempt {
  readonly waitFor?: undefined
  readonly fail: () => Awaitable<void>
  /** The address is the account's own from now on. */
  readonly succeed: () => Awaitable<void>
  /** It neither failed nor succeeded. */
  readonly takeBack: () => Awaitable<void>
}

/** An attempt that comes too soon. */
export interface EarlyAttempt {
  /** Seconds. */
  readonly waitFor: number
}

/** Counts attempts that failed. */
export interface AttemptLimiter {
  /** @param now milliseconds since 1970 */
  readonly begin: (attempt: Attempt, limits: AttemptLimits, now?: number) => Awaitable<BegunAttempt | EarlyAttempt>
}

/** One address waits up to a quarter of an hour; a new address waits no longer than a minute for others. */
const longestPauses = { address: 900_000, account: 60_000 } as const

/** Names may be long: what is kept of them is not. */
const keyOf = (...parts: readonly string[]): string =>
  `attempts ${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`

/** The counters of an attempt. */
interface Counted {
  readonly cells: Cells
  /** Milliseconds since 1970. */
  readonly now: number
  /** Of the address at the account. */
  readonly pair: string
  /** Those that a failure counts in. */
  readonly keys: readonly string[]
  /** It was counted as a failure when it began. */
  readonly isCounted: boolean
}

const known = (counter: Counter): Counter => ({ ...counter, failures: 0, isKnown: true })
const less = (counter: Counter): Counter => ({ ...counter, failures: Math.max(0, counter.failures - 1) })

function beginCounted({ cells, now, pair, keys, isCounted }: Counted): BegunAttempt {
  const more = (counter: Counter): Counter => ({ ...counter, failures: counter.failures + 1, last: now })
  const takeBack = (): Awaitable<void> => (isCounted ? changeCounters(cells, keys, now, less) : undefined)
  return {
    fail: () => (isCounted ? undefined : changeCounters(cells, keys, now, more)),
    takeBack,
    succeed: () => andThen(takeBack(), () => changeCounters(cells, [pair], now, known))
  }
}

/** An attempt about to begin. */
interface Beginning {
  readonly cells: Cells
  readonly now: number
  readonly ofAddress: Limited
  readonly ofAll: Limited
  readonly countsAtOnce: boolean
}

/** An attempt of a new address, which the counter of the address lets begin: that of all addresses decides. */
function beginOfNew({ cells, now, ofAddress, ofAll, countsAtOnce }: Beginning, before: Counter): Awaitable<Begun> {
  const pair = ofAddress.key
  const undo = (): Awaitable<void> =>
    countsAtOnce
      ? changeCounters(cells, [pair], now, (counter) => ({ ...less(counter), last: before.last }))
      : undefined
  const asked = askCounter(cells, ofAll, now, () => countsAtOnce)
  return andThen(asked, ({ next }) =>
    next > now
      ? andThen(undo(), () => early(next, now))
      : beginCounted({ cells, now, pair, keys: [pair, ofAll.key], isCounted: countsAtOnce })
  )
}

type Begun = BegunAttempt | EarlyAttempt

const early = (next: number, now: number): EarlyAttempt => ({ waitFor: Math.ceil((next - now) / 1000) })

function begin(beginning: Beginning): Awaitable<Begun> {
  const { cells, now, ofAddress, ofAll, countsAtOnce } = beginning
  const pair = ofAddress.key
  const own = askCounter(cells, ofAddress, now, ({ isKnown }) => countsAtOnce && isKnown !== true)
  return andThen(own, ({ next, before }) => {
    const isKnown = before.isKnown === true
    if (next <= now)
      return isKnown
        ? beginCounted({ cells, now, pair, keys: [pair], isCounted: false })
        : beginOfNew(beginning, before)
    if (isKnown) return early(next, now)
    const asked = askCounter(cells, ofAll, now, () => false)
    return andThen(asked, (all) => early(Math.max(next, all.next), now))
  })
}

/**
 * Makes the counter of attempts. It counts by what clients write, so that it does not reveal whether an account exists.
 * Failures of one address at an account make that address wait; many failures of all addresses make new addresses wait, for a
 * short time, and never one from which the account's owner has logged in: no one can lock others out of their accounts.
 */
export function limitAttemptsIn(cells: Cells): AttemptLimiter {
  return {
    begin({ kind, account, name = account, address, countsAtOnce }, { failures, accountFailures }, now = Date.now()) {
      const whole = keyOf(kind, account)
      return begin({
        cells,
        now,
        ofAddress: { key: keyOf(kind, name, networkOf(address)), free: failures, longestPause: longestPauses.address },
        ofAll: { key: whole, free: accountFailures, longestPause: longestPauses.account },
        countsAtOnce
      })
    }
  }
}

/** The same without a promise. */
export interface LocalAttemptLimiter extends AttemptLimiter {
  readonly begin: (attempt: Attempt, limits: AttemptLimits, now?: number) => BegunAttempt | EarlyAttempt
}

/** Makes the counter of attempts of one process. @param size counters that are kept in memory */
export function makeAttemptLimiter(size = 100_000): LocalAttemptLimiter {
  // Local cells never have to be waited for.
  return limitAttemptsIn(makeLocalCells(size)) as LocalAttemptLimiter
}

/** What an attempt came to: `undefined` for a failure. */
export type TryOut<T> = () => Promise<T | undefined>

/** What outcomes of an attempt are. */
export interface AttemptRules<T> {
  /** Whether an error is a failure; none is when absent. */
  readonly isFailure?: (error: unknown) => boolean
  /** Whether what was found proves that the account of that name is the caller's; always when absent. */
  readonly isProof?: (found: T) => Awaitable<boolean>
}

/**
 * Carries out an attempt and counts it when it fails: gives nothing, or throws what `isFailure` knows.
 * @param refuse makes the error of an attempt that comes too soon
 */
export async function countAttempt<T>(
  beginning: Awaitable<BegunAttempt | EarlyAttempt>,
  tryOut: TryOut<T>,
  refuse: (waitFor: number) => Error,
  { isFailure = () => false, isProof = () => true }: AttemptRules<T> = {}
): Promise<T | undefined> {
  const attempt = await beginning
  if (attempt.waitFor !== undefined) throw refuse(attempt.waitFor)
  try {
    const found = await tryOut()
    if (found === undefined) await attempt.fail()
    else await ((await isProof(found)) ? attempt.succeed() : attempt.takeBack())
    return found
  } catch (error) {
    await (isFailure(error) ? attempt.fail() : attempt.takeBack())
    throw error
  }
}
