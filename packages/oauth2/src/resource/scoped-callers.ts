import type { Principal } from '@modelwire/core'
import type { FastifyRequest } from 'fastify'

/** Callers whose scopes were checked for the request. */
export interface ScopedCallers {
  /** The caller of this request had the scope that its path, route or hook requires. */
  readonly add: (request: FastifyRequest) => void
  readonly has: (principal: Principal) => boolean
}

/** A caller that is remembered stands for many requests: one with checked scopes is another object. */
export function scopedCallers(): ScopedCallers {
  const scoped = new WeakSet<Principal>()
  const variants = new WeakMap<Principal, Principal>()
  return {
    has: (principal) => scoped.has(principal),
    add: (request) => {
      const { principal } = request
      if (principal === null || scoped.has(principal)) return
      const variant = variants.get(principal) ?? Object.freeze({ ...principal })
      variants.set(principal, variant)
      scoped.add(variant)
      request.principal = variant
    }
  }
}
