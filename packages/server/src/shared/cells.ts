import type { Awaitable } from '../promises.ts'
import type { Hits } from './shared-state.ts'
import { randomUUID } from 'node:crypto'

/** The right to do something that one process does at a time. */
export interface Lease {
  /** Extends it to the given number of milliseconds from now; false if it had expired, and may belong to another process. */
  readonly renew: (lifetime: number) => Awaitable<boolean>
  /** Releases it. */
  readonly release: () => Awaitable<void>
}

interface Held {
  readonly holder: string
}

/** Cells of one process: all operations are synchronous. */
interface LocalCells extends Cells {
  readonly change: <Value, Result>(key: string, decide: Decide<Value, Result>) => Result
}

interface Kept {
  readonly value: unknown
  /** Milliseconds since 1970. */
  readonly until: number
}

/** A decision about a value. */
export interface Decision<Value, Result> {
  /** The result of the change. */
  readonly result: Result
  /** The new value; absent: unchanged, null: removed. */
  readonly next?: Value | null
  /** Lifetime of `next` in milliseconds. */
  readonly lifetime?: number
}

/** Decides about a value; undefined if there is none. It may be called several times. */
export type Decide<Value, Result> = (value: Value | undefined) => Decision<Value, Result>

/** Small JSON values by key, each of which changes atomically. */
export interface Cells {
  readonly change: <Value, Result>(key: string, decide: Decide<Value, Result>) => Awaitable<Result>
  /**
   * Increments a counter.
   * @param window milliseconds from the first one until counting begins anew
   */
  readonly count: (key: string, window: number) => Awaitable<Hits>
}

/** A count, and until when it is valid: milliseconds since 1970. */
interface Counted {
  readonly count: number
  readonly until: number
}

/** Counts with `change`. */
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

/**
 * Makes cells in the memory of this process.
 * @param size maximum number of values; the least recently used are evicted
 */
export function makeLocalCells(size: number): LocalCells {
  const kept = new Map<string, Kept>()
  const keep = (key: string, value: Kept): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > size && oldest !== undefined) kept.delete(oldest)
  }
  const change = <Value, Result>(key: string, decide: Decide<Value, Result>): Result => {
    const found = kept.get(key)
    const current = found !== undefined && found.until > Date.now() ? found : undefined
    const { result, next, lifetime = Infinity } = decide(current?.value as Value | undefined) // as it was put there
    if (next === null) kept.delete(key)
    else if (next !== undefined) keep(key, { value: next, until: Date.now() + lifetime })
    else if (current !== undefined) keep(key, current)
    return result
  }
  return { change, count: (key, window) => countIn(change, key, window) }
}

/**
 * Takes a lease; undefined while another one holds it.
 * @param lifetime milliseconds after which it is over, unless it is renewed
 */
export async function takeLease({ change }: Cells, name: string, lifetime: number): Promise<Lease | undefined> {
  const key = `lease ${name}`
  const own: Held = { holder: randomUUID() }
  const isTaken = await change<Held, boolean>(key, (held) =>
    held === undefined ? { next: own, lifetime, result: true } : { result: false }
  )
  const isOwn = (held: Held | undefined): boolean => held?.holder === own.holder
  const lease: Lease = {
    renew: (time) =>
      change<Held, boolean>(key, (held) =>
        isOwn(held) ? { next: own, lifetime: time, result: true } : { result: false }
      ),
    release: () => change<Held, void>(key, (held) => ({ ...(isOwn(held) ? { next: null } : {}), result: undefined }))
  }
  return isTaken ? lease : undefined
}
