import type { FastifyReply } from 'fastify'
import type { Look } from './layout.ts'

/** What a page may do besides showing itself. */
export interface PageRules {
  /** Sources that a form of the page may lead to, by a redirect, besides this server. */
  readonly leadsTo?: readonly string[]
}

/** Headers of everything that a browser shows or is sent on by: not cached, no referrer. */
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

/** All of the web, for forms that lead to a client that is not known here. */
export const anywhere: readonly string[] = ['https:', 'http:']

/**
 * Sources of a policy for a form whose answer sends the browser to a client. Browsers hold all redirects that follow
 * against the policy, also those that the client makes from host to host: only the scheme of the address can be given.
 */
export function sourcesOf(address: unknown): readonly string[] {
  if (typeof address !== 'string' || !URL.canParse(address)) return anywhere
  const { protocol } = new URL(address)
  if (protocol === 'http:') return anywhere
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) ? [protocol] : anywhere
}
