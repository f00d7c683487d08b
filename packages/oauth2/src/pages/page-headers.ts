import type { FastifyReply } from 'fastify'
import type { Look } from './layout.ts'

/** What a page may do besides showing itself. */
export interface PageRules {
  /** Origins and schemes that a form of the page may lead to, by a redirect, besides this server. */
  readonly leadsTo?: readonly string[]
}

/** Headers of everything that a browser shows or is sent on by: kept nowhere, told to nobody. */
export function setBrowserHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
}

/**
 * Sends a page. It loads nothing, runs nothing, and stands in no frame.
 * @see RFC 9700 section 4.16, clickjacking
 */
export function sendPage(
  reply: FastifyReply,
  look: Look,
  page: string,
  { leadsTo = [] }: PageRules = {}
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${look.cssSource}`,
    `form-action ${["'self'", ...leadsTo].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  return setBrowserHeaders(reply)
    .header('content-security-policy', policy.join('; '))
    .header('x-frame-options', 'DENY')
    .type('text/html; charset=utf-8')
    .send(page)
}

/** The source of a content security policy for an address that a browser is sent to; undefined for none. */
export function sourceOf(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const { protocol, host } = new URL(address)
  if (!/^[a-z][a-z0-9+.-]*:$/.test(protocol)) return undefined
  // An address of IPv6 cannot be written in a policy.
  return ['http:', 'https:'].includes(protocol) && /^[a-z0-9.:-]+$/.test(host) ? `${protocol}//${host}` : protocol
}
