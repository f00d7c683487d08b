import type { ExplorerSettings } from '../options.ts'

function originOf(address: unknown): string[] {
  return typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : []
}

/** Where the page may send requests to, besides its own server: the API, and the servers that issue tokens for it. */
function addressesOf({ host, protocol = 'http', oauth2 }: ExplorerSettings): string[] {
  const api = host === undefined ? [] : originOf(`${protocol}://${host}`)
  const flows = Object.values(oauth2?.flows ?? {})
  return [
    ...new Set([...api, ...flows.flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl, refreshUrl].flatMap(originOf))])
  ]
}

/** What a browser lets the page do: it holds a token, so nothing of others runs in it. */
export function contentSecurityPolicy(options: ExplorerSettings): Record<string, string[]> {
  return {
    'default-src': ["'self'"],
    'base-uri': ["'self'"],
    'connect-src': ["'self'", ...addressesOf(options)],
    'font-src': ["'self'", 'data:'],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'img-src': ["'self'", 'data:'],
    'object-src': ["'none'"],
    'script-src': ["'self'"],
    // swagger-ui sets styles on its elements.
    'style-src': ["'self'", "'unsafe-inline'"]
  }
}
