import type { Cells } from '../shared-state/cells.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'

/** How many attempts failed. */
export interface Counter {
  readonly failures: number
  /** Milliseconds since 1970, of the last one. */
  readonly last: number
  /** A right attempt came from this address. */
  readonly isKnown?: boolean
}

/** A counter with its limit. */
export interface Limited {
  readonly key: string
  /** Failures after which each further attempt waits. */
  readonly free: number
  /** Milliseconds. */
  readonly longestPause: number
}

/** What a counter says about an attempt. */
export interface Answer {
  /** Milliseconds since 1970 of the next attempt that may be made. */
  readonly next: number
  /** As it was before. */
  readonly before: Counter
}

const firstPause = 1000
/** Failures are forgotten when a day passed without one. */
const memory = 86_400_000
/** An address is known for so long after it was used. */
const knownFor = 90 * memory

/** When the next attempt may be made. */
function nextTime({ failures, last }: Counter, { free, longestPause }: Limited): number {
  return failures < free ? 0 : last + Math.min(firstPause * 2 ** Math.min(failures - free, 30), longestPause)
}

/** The counter as it is at a time. */
function counterAt(counter: Counter | undefined, now: number): Counter {
  if (counter === undefined) return { failures: 0, last: now }
  return now - counter.last > memory ? { ...counter, failures: 0 } : counter
}

const keep = (next: Counter): { next: Counter; lifetime: number } => ({
  next,
  lifetime: next.isKnown === true ? knownFor : memory
})

/**
 * Asks a counter, and counts an attempt in the same step where it may be made and `counts` says so.
 * @param now milliseconds since 1970
 */
export function askCounter(
  { change }: Cells,
  limited: Limited,
  now: number,
  counts: (counter: Counter) => boolean
): Awaitable<Answer> {
  return change<Counter, Answer>(limited.key, (counter) => {
    const before = counterAt(counter, now)
    const next = nextTime(before, limited)
    const result = { next, before }
    if (next > now || !counts(before)) return { result }
    return { result, ...keep({ ...before, failures: before.failures + 1, last: now }) }
  })
}

/** Changes each of the counters, one after the other. @param now milliseconds since 1970 */
export function changeCounters(
  cells: Cells,
  keys: readonly string[],
  now: number,
  next: (counter: Counter) => Counter
): Awaitable<void> {
  const [key, ...others] = keys
  if (key === undefined) return undefined
  const changed = cells.change<Counter, void>(key, (counter) => ({
    result: undefined,
    ...keep(next(counterAt(counter, now)))
  }))
  return andThen(changed, () => changeCounters(cells, others, now, next))
}
