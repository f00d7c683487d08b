import { clonePlain, isPlainObject } from '../values/clone-plain.ts'
import { logicalKeys } from './logical-keys.ts'

type Where = Readonly<Record<string, unknown>>

/** The one property of a {@link TrustedWhere}. A plain object that has it is an untrusted copy. */
export const trustedKey = '$trusted'

/**
 * A condition that the server adds to a client's, as one part of an `and`: it may name hidden and protected properties,
 * and is about the properties of the records alone, not about related ones. Observers of hooks see what it holds as a
 * plain condition. A copy that is not an instance any more is refused in a client's query, so that it is never silently
 * ignored.
 */
export class TrustedWhere {
  readonly [trustedKey]: Where
  constructor(where: Where) {
    this[trustedKey] = where
  }
}

/** A condition with the parts that the server added as plain ones, for those who may see everything. */
export function openTrusted(where: unknown): unknown {
  if (where instanceof TrustedWhere) return clonePlain(where[trustedKey])
  if (Array.isArray(where)) return where.map(openTrusted)
  if (!isPlainObject(where) || !Object.keys(where).some((key) => logicalKeys.has(key))) return where
  return Object.fromEntries(
    Object.entries(where).map(([key, value]) => [key, logicalKeys.has(key) ? openTrusted(value) : value])
  )
}

/** The parts of a condition: what the client requested, and what the server added, all of which have to hold. */
export function splitTrusted(where: unknown): { readonly requested: unknown; readonly trusted: readonly Where[] } {
  if (where instanceof TrustedWhere) return { requested: {}, trusted: [where[trustedKey]] }
  if (!isPlainObject(where) || !Array.isArray(where['and'])) return { requested: where, trusted: [] }
  const parts = where['and'].map((part: unknown) => splitTrusted(part))
  const trusted = parts.flatMap((part) => part.trusted)
  return trusted.length === 0
    ? { requested: where, trusted }
    : { requested: { ...where, and: parts.map(({ requested }) => requested) }, trusted }
}
