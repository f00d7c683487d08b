import { type Awaitable, networkOf, type SharedState } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import { digest } from './key-store.ts'

/** Limits of what is kept for one caller. */
export interface KeyLimits {
  /** Seconds after which counting restarts. */
  readonly keep: number
  readonly callerKeys: number
  readonly callerBytes: number
}

/** What has been kept for a caller since counting started. */
interface Used {
  readonly keys: number
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The result of counting. */
export interface Counted {
  /** False if it would exceed the caller's limits: it was not counted then. */
  readonly isWithin: boolean
  /** Milliseconds until counting restarts. */
  readonly left: number
}

/** Counts additional keys and bytes for a caller. */
export type CountKept = (caller: string, more: Pick<Used, 'keys' | 'bytes'>) => Awaitable<Counted>

/** The parts that identify the sender of a key: other callers have separate keys. */
export const partsOfCaller = ({ principal }: FastifyRequest): readonly string[] =>
  [principal?.userModel, principal?.userId, principal?.appId].map((part) => String(part ?? ''))

/** Whom keys count for: the caller, or the network of a caller without an account. */
export const countedCaller = (request: FastifyRequest): string =>
  request.principal === null ? networkOf(request.ip) : digest(...partsOfCaller(request))

/** Makes the counter. If the application has a shared state, all of its processes count together. */
export function countKeptIn({ cells }: SharedState, { keep, callerKeys, callerBytes }: KeyLimits): CountKept {
  return (caller, { keys, bytes }) =>
    cells.change<Used, Counted>(`idempotency ${caller}`, (value) => {
      const now = Date.now()
      const used = value !== undefined && value.until > now ? value : { keys: 0, bytes: 0, until: now + keep * 1000 }
      const next = { ...used, keys: used.keys + keys, bytes: used.bytes + bytes }
      const left = used.until - now
      const isWithin = next.keys <= callerKeys && next.bytes <= callerBytes
      return isWithin ? { next, lifetime: left, result: { isWithin, left } } : { result: { isWithin, left } }
    })
}
