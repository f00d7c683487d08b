import type { OAuth2Settings } from '../options/option-table.ts'

/** What @fastify/rate-limit reads of a route. */
interface LimitedRoute {
  readonly rateLimit?: { readonly max: number; readonly timeWindow: number }
}

/** How often one address may post a form: as often as `@modelwire/users` lets it log in, by default. */
export function limitPage(rateLimit: OAuth2Settings['rateLimit'], most = Infinity): LimitedRoute {
  if (rateLimit === false) return {}
  const { max, timeWindow } = rateLimit
  return { rateLimit: { max: Math.min(max, most), timeWindow } }
}
