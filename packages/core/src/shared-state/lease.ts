import { randomUUID } from 'node:crypto'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import type { Cells } from './cells.ts'

/** The right to do something that one process does at a time. */
export interface Lease {
  /** Keeps it for so many milliseconds from now; false where it was over, and may be another's. */
  readonly renew: (lifetime: number) => Awaitable<boolean>
  /** Gives it back. */
  readonly release: () => Awaitable<void>
}

interface Held {
  readonly holder: string
}

/** Takes a lease; undefined while another one holds it. @param lifetime milliseconds after which it is over, unless it is renewed */
export function takeLease({ change }: Cells, name: string, lifetime: number): Awaitable<Lease | undefined> {
  const key = `lease ${name}`
  const own: Held = { holder: randomUUID() }
  const isTaken = change<Held, boolean>(key, (held) =>
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
  return andThen(isTaken, (isOwnNow) => (isOwnNow ? lease : undefined))
}
