import type { FastifyRequest } from 'fastify'

/**
 * The sender of a request: a page of this server or of one of the named origins (`own`), of another origin of the same site
 * (`neighbour`), of any other site (`foreign`), a person who typed or bookmarked the URL (`person`), or no browser
 * (`program`).
 */
export type Sender = 'own' | 'neighbour' | 'foreign' | 'person' | 'program'

/** Values of `Sec-Fetch-Site`. */
const bySite: ReadonlyMap<unknown, Sender> = new Map([
  ['same-origin', 'own'],
  ['same-site', 'neighbour'],
  ['none', 'person']
])

/** A server behind a proxy may not know that it is reached by HTTPS; a page that came without it is none of one that is. */
function isHere(origin: string, { host, protocol }: FastifyRequest): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  const here = `${page.protocol}//${host}`
  const isDowngraded = protocol === 'https' && page.protocol !== 'https:'
  return !isDowngraded && URL.canParse(here) && new URL(here).host === page.host
}

/**
 * The sender of a request, as browsers report it, which pages cannot change: in `Sec-Fetch-Site`, or in `Origin` for older
 * ones.
 * @param named other origins whose pages count as own ones
 * @see OWASP, Cross-Site Request Forgery Prevention: Fetch Metadata headers, with the origin where there are none
 */
export function senderOf(request: FastifyRequest, named: readonly string[] = []): Sender {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && named.includes(origin)) return 'own'
  if (site !== undefined) return bySite.get(site) ?? 'foreign'
  if (origin === undefined) return 'program'
  return isHere(origin, request) ? 'own' : 'foreign'
}
