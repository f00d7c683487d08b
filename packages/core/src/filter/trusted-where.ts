import { clonePlain, isPlainObject } from '../values/clone-plain.ts'
import { logicalKeys } from './logical-keys.ts'

type Where = Readonly<Record<string, unknown>>

/** The one property of a {@link TrustedWhere}. A plain object that has it is a copy, which nobody trusts. */
export const trustedKey = '$trusted'

/**
 * A condition that the server adds to a client's, as one part of an `and`: it may name hidden and protected properties, and is
 * about the properties of the records alone, not about related ones. Observers of hooks see what it holds as a plain
 * condition. A copy that is no instance any more is refused where a client asks, so that it never counts for nothing.
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

/** The parts of a condition: what a client asks, and what the server added, each of which has to hold. */
export function splitTrusted(where: unknown): { readonly asked: unknown; readonly trusted: readonly Where[] } {
  if (where instanceof TrustedWhere) return { asked: {}, trusted: [where[trustedKey]] }
  if (!isPlainObject(where) || !Array.isArray(where['and'])) return { asked: where, trusted: [] }
  const parts = where['and'].map((part: unknown) => splitTrusted(part))
  const trusted = parts.flatMap((part) => part.trusted)
  return trusted.length === 0
    ? { asked: where, trusted }
    : { asked: { ...where, and: parts.map(({ asked }) => asked) }, trusted }
}
