import type { FastifyReply } from 'fastify'
import type { TokenSettings } from '../options.ts'

/** Marks an answer as private for caches. */
export type KeepPrivate = (reply: FastifyReply) => void

/** The headers in which a token may come. */
function headersOf({ headers = [], cookies = [], searchDefaultTokenKeys }: TokenSettings): readonly string[] {
  const defaultHeaders = searchDefaultTokenKeys ? ['Authorization', 'X-Access-Token'] : []
  return [...defaultHeaders, ...headers, ...(cookies.length > 0 ? ['Cookie'] : [])]
}

/**
 * Makes the function that marks the answers to requests with a token: caches treat answers to `Authorization` as
 * private, but not those to tokens in other places. Handlers may override it.
 * @param inLoopback clients of LoopBack may cache their answers, as before; shared caches may not
 */
export function keepPrivate(tokens: TokenSettings, inLoopback = false): KeepPrivate {
  const cacheControl = inLoopback ? 'private' : 'no-store'
  // LB3: a header that recordings hold stays as it is; no shared cache keeps what is private.
  const names = inLoopback ? [] : headersOf(tokens)
  const vary = names.join(', ')
  return (reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cacheControl)
    if (names.length === 0) return
    const others = reply.getHeader('vary')
    void reply.header('vary', others === undefined ? vary : `${String(others)}, ${vary}`)
  }
}
