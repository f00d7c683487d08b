import type { FastifyReply } from 'fastify'
import type { TokenSettings } from '../options.ts'

/** Tells caches that an answer is its caller's own. */
export type KeepPrivate = (reply: FastifyReply) => void

/** The headers in which a token may come. */
function headersOf({ headers = [], cookies = [], searchDefaultTokenKeys }: TokenSettings): readonly string[] {
  const usual = searchDefaultTokenKeys ? ['Authorization', 'X-Access-Token'] : []
  return [...usual, ...headers, ...(cookies.length > 0 ? ['Cookie'] : [])]
}

/**
 * Makes the function that marks the answers to requests with a token: caches know of `Authorization` that others must not see them,
 * and of no other place. Whoever answers may say otherwise.
 * @param inLoopback clients of LoopBack may keep what they got, as they did; nobody between may
 */
export function keepPrivate(tokens: TokenSettings, inLoopback = false): KeepPrivate {
  const cacheControl = inLoopback ? 'private' : 'no-store'
  // LB3: a header that recordings hold stays as it is; nobody between keeps what is private.
  const names = inLoopback ? [] : headersOf(tokens)
  const vary = names.join(', ')
  return (reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cacheControl)
    if (names.length === 0) return
    const others = reply.getHeader('vary')
    void reply.header('vary', others === undefined ? vary : `${String(others)}, ${vary}`)
  }
}
