import { clonePlain, isPlainObject } from '@modelwire/server'
import { logicalKeys } from './related-conditions.ts'

type Where = Readonly<Record<string, unknown>>

/** The one property of a {@link TrustedWhere}. A plain object that has it is an untrusted copy. */
export const trustedKey = '$trusted'

/**
 * A condition that the server adds to a client's, as one part of an `and`: it may use hidden and protected properties, but
 * only of the records themselves, not of related ones. Observers of hooks see its contents as a plain condition. A copy
 * that is no longer an instance is refused in a client's query, so that it is never silently ignored.
 */
export class TrustedWhere {
  readonly [trustedKey]: Where
  constructor(where: Where) {
    this[trustedKey] = where
  }
}

/** A condition in which the server's parts are plain, for those who may see everything. */
export function openTrusted(where: unknown): unknown {
  if (where instanceof TrustedWhere) return clonePlain(where[trustedKey])
  if (Array.isArray(where)) return where.map(openTrusted)
  if (!isPlainObject(where) || !Object.keys(where).some((key) => logicalKeys.has(key))) return where
  return Object.fromEntries(
    Object.entries(where).map(([key, value]) => [key, logicalKeys.has(key) ? openTrusted(value) : value])
  )
}

/** The parts of a condition: the client's own, and those that the server added, all of which apply. */
export function splitTrusted(where: unknown): { readonly requested: unknown; readonly trusted: readonly Where[] } {
  if (where instanceof TrustedWhere) return { requested: {}, trusted: [where[trustedKey]] }
  if (!isPlainObject(where) || !Array.isArray(where['and'])) return { requested: where, trusted: [] }
  const parts = where['and'].map((part: unknown) => splitTrusted(part))
  const trusted = parts.flatMap((part) => part.trusted)
  return trusted.length === 0
    ? { requested: where, trusted }
    : { requested: { ...where, and: parts.map(({ requested }) => requested) }, trusted }
}
