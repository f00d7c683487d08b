import { createHash } from 'node:crypto'
import type { Cells } from './cells.ts'
import { networkOf } from './login-attempt.ts'

/** The number of failed attempts. */
interface Counter {
  readonly failures: number
  /** Milliseconds since 1970 of the last one. */
  readonly last: number
  /** A successful attempt came from this address. */
  readonly isKnown?: boolean
}

/** A counter with its limit. */
interface Limited {
  readonly key: string
  /** Failures after which each further attempt must wait. */
  readonly free: number
  /** Milliseconds. */
  readonly longestPause: number
}

/** A counter's result for an attempt. */
export interface Answer {
  /** Milliseconds since 1970 when the next attempt is allowed. */
  readonly next: number
  /** The previous state. */
  readonly before: Counter
}

const firstPause = 1000

/** Failures are forgotten when a day passed without one. */
const memory = 86_400_000

/** An address is known for so long after it was used. */
const knownFor = 90 * memory

const keep = (next: Counter): { next: Counter; lifetime: number } => ({
  next,
  lifetime: next.isKnown === true ? knownFor : memory
})

/** How many attempts may fail before each further one must wait, longer each time. */
export interface AttemptLimits {
  /** Per address and account. */
  readonly failures: number
  /** Of all addresses per account. */
  readonly accountFailures: number
}

/** One attempt, such as a login. */
export interface Attempt {
  /** The kind of attempt, such as `login`: attempts of one kind are counted together. */
  readonly kind: string
  /** The account as named by the client, whether or not it exists. Names that may refer to one account are the same string. */
  readonly account: string
  /**
   * The name by which accounts are looked up, if `account` may stand for several names. A successful attempt belongs to the
   * account with this name: it must not reset attempts at another one.
   */
  readonly name?: string
  /** The address of the request. */
  readonly address: string
  /**
   * Concurrent attempts count before they have failed, so that many at once are not free. False for programs, which
   * authenticate many times concurrently.
   */
  readonly countsAtOnce: boolean
}

/** An allowed attempt. One of these must be called and awaited when it is over. */
export interface BegunAttempt {
  readonly waitFor?: undefined
  readonly fail: () => Promise<void>
  /** Records that the address belongs to the account's owner. */
  readonly succeed: () => Promise<void>
  /** Records that it neither failed nor succeeded. */
  readonly takeBack: () => Promise<void>
}

/** An attempt that is made too early. */
export interface EarlyAttempt {
  /** Seconds to wait. */
  readonly waitFor: number
}

/** Counts failed attempts. */
export interface AttemptLimiter {
  /** @param now milliseconds since 1970 */
  readonly begin: (attempt: Attempt, limits: AttemptLimits, now?: number) => Promise<BegunAttempt | EarlyAttempt>
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
  /** Key of the address and the account. */
  readonly pair: string
  /** Keys of the counters that a failure increases. */
  readonly keys: readonly string[]
  /** It was counted as a failure when it began. */
  readonly isCounted: boolean
}

const known = (counter: Counter): Counter => ({ ...counter, failures: 0, isKnown: true })
const less = (counter: Counter): Counter => ({ ...counter, failures: Math.max(0, counter.failures - 1) })

function beginCounted({ cells, now, pair, keys, isCounted }: Counted): BegunAttempt {
  const more = (counter: Counter): Counter => ({ ...counter, failures: counter.failures + 1, last: now })
  const takeBack = (): Promise<void> => changeCounters(cells, isCounted ? keys : [], now, less)
  return {
    fail: () => changeCounters(cells, isCounted ? [] : keys, now, more),
    takeBack,
    succeed: async () => {
      await takeBack()
      await changeCounters(cells, [pair], now, known)
    }
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
async function beginOfNew({ cells, now, ofAddress, ofAll, countsAtOnce }: Beginning, before: Counter): Promise<Begun> {
  const pair = ofAddress.key
  const { next } = await askCounter(cells, ofAll, now, () => countsAtOnce)
  if (next <= now) return beginCounted({ cells, now, pair, keys: [pair, ofAll.key], isCounted: countsAtOnce })
  if (countsAtOnce) await changeCounters(cells, [pair], now, (counter) => ({ ...less(counter), last: before.last }))
  return early(next, now)
}

type Begun = BegunAttempt | EarlyAttempt

const early = (next: number, now: number): EarlyAttempt => ({ waitFor: Math.ceil((next - now) / 1000) })

async function begin(beginning: Beginning): Promise<Begun> {
  const { cells, now, ofAddress, ofAll, countsAtOnce } = beginning
  const pair = ofAddress.key
  const counts = ({ isKnown }: Counter): boolean => countsAtOnce && isKnown !== true
  const { next, before } = await askCounter(cells, ofAddress, now, counts)
  const isKnown = before.isKnown === true
  if (next <= now)
    return isKnown ? beginCounted({ cells, now, pair, keys: [pair], isCounted: false }) : beginOfNew(beginning, before)
  if (isKnown) return early(next, now)
  const all = await askCounter(cells, ofAll, now, () => false)
  return early(Math.max(next, all.next), now)
}

/**
 * Makes the counter of attempts. It counts by clients' input, so that it does not reveal whether an account exists.
 * Failures of one address at an account make that address wait; many failures of all addresses make new addresses wait, for
 * a short time, but never one from which the account's owner has logged in: no one can lock others out of their accounts.
 */
export function limitAttemptsIn(cells: Cells): AttemptLimiter {
  return {
    async begin({ kind, account, name = account, address, countsAtOnce }, limits, now = Date.now()) {
      const { failures, accountFailures } = limits
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

/** An attempt: its result is `undefined` for a failure. */
export type TryOut<T> = () => Promise<T | undefined>

/** How outcomes of an attempt are classified. */
export interface AttemptRules<T> {
  /** Whether an error is a failure; none is when absent. */
  readonly isFailure?: (error: unknown) => boolean
  /** Whether the result proves that the account of that name is the caller's; always when absent. */
  readonly isProof?: (found: T) => Promise<boolean>
}

/**
 * Runs an attempt and counts it if it fails: returns nothing, or rethrows an error that `isFailure` accepts.
 * @param refuse makes the error of an attempt that comes too soon
 */
export async function countAttempt<T>(
  beginning: Promise<BegunAttempt | EarlyAttempt>,
  tryOut: TryOut<T>,
  refuse: (waitFor: number) => Error,
  { isFailure = () => false, isProof = async () => true }: AttemptRules<T> = {}
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

/** When the next attempt may be made. */
function nextTime({ failures, last }: Counter, { free, longestPause }: Limited): number {
  return failures < free ? 0 : last + Math.min(firstPause * 2 ** Math.min(failures - free, 30), longestPause)
}

/** The counter as it is at a time. */
function counterAt(counter: Counter | undefined, now: number): Counter {
  if (counter === undefined) return { failures: 0, last: now }
  return now - counter.last > memory ? { ...counter, failures: 0 } : counter
}

/**
 * Asks a counter, and counts an attempt in the same step where it may be made and `counts` says so.
 * @param now milliseconds since 1970
 */
async function askCounter(
  { change }: Cells,
  limited: Limited,
  now: number,
  counts: (counter: Counter) => boolean
): Promise<Answer> {
  return change<Counter, Answer>(limited.key, (counter) => {
    const before = counterAt(counter, now)
    const next = nextTime(before, limited)
    const result = { next, before }
    if (next > now || !counts(before)) return { result }
    return { result, ...keep({ ...before, failures: before.failures + 1, last: now }) }
  })
}

/** Changes each of the counters, one after the other. @param now milliseconds since 1970 */
async function changeCounters(
  cells: Cells,
  keys: readonly string[],
  now: number,
  next: (counter: Counter) => Counter
): Promise<void> {
  for (const key of keys)
    await cells.change<Counter, void>(key, (counter) => ({
      result: undefined,
      ...keep(next(counterAt(counter, now)))
    }))
}
