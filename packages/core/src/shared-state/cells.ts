import type { Awaitable } from '../values/awaitable.ts'
import type { Hits } from './shared-store.ts'

/** What becomes of a value. */
export interface Decision<Value, Result> {
  /** What the change gives. */
  readonly result: Result
  /** The value from now on; absent: it stays as it is, null: it is removed. */
  readonly next?: Value | null
  /** Milliseconds that `next` lives. */
  readonly lifetime?: number
}

/** Decides what becomes of a value; undefined where there is none. It may be called several times. */
export type Decide<Value, Result> = (value: Value | undefined) => Decision<Value, Result>

/** Small values of JSON by key, each of which changes atomically. */
export interface Cells {
  readonly change: <Value, Result>(key: string, decide: Decide<Value, Result>) => Awaitable<Result>
  /** Counts one more. @param window milliseconds from the first one until counting begins anew */
  readonly count: (key: string, window: number) => Awaitable<Hits>
}

/** How often something happened, and until when that counts: milliseconds since 1970. */
interface Counted {
  readonly count: number
  readonly until: number
}

/** Counts by `change`. */
export function countIn(
  change: Cells['change'],
  key: string,
  window: number,
  now: () => number = Date.now
): Awaitable<Hits> {
  return change<Counted, Hits>(key, (value) => {
    const time = now()
    const isOver = value === undefined || value.until <= time
    const next = isOver ? { count: 1, until: time + window } : { count: value.count + 1, until: value.until }
    const left = next.until - time
    return { next, lifetime: left, result: { count: next.count, left } }
  })
}
