/** Schemes that would run in the browser instead of leading somewhere. */
const scripts: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:'
])
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Visible ASCII without what parsers disagree about. */
const wellFormed = /^[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]+$/
const ambiguous = /[\\<>"^`{}|]/

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/**
 * True for a possible redirect URI: absolute, without fragment, user info, or a scheme that runs in the browser.
 * @see RFC 6749 section 3.1.2, RFC 9700 section 4.1
 */
export function isRegistrable(uri: string): boolean {
  if (typeof uri !== 'string' || !wellFormed.test(uri) || ambiguous.test(uri) || uri.includes('#')) return false
  const url = parse(uri)
  return url !== undefined && !scripts.has(url.protocol) && url.username === '' && url.password === ''
}

/** A loopback address over http, of a native client. @see RFC 8252 section 7.3 */
export function isLoopback(uri: string): boolean {
  const url = parse(uri)
  return url !== undefined && url.protocol === 'http:' && loopbackHosts.has(url.hostname)
}

/** True for URLs that another program on the device can receive: loopback addresses, and schemes of applications. */
export function isNative(uri: string): boolean {
  const url = parse(uri)
  return url !== undefined && (isLoopback(uri) || !['http:', 'https:'].includes(url.protocol))
}

const withoutPort = (uri: string): string =>
  uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1')

/**
 * True if a URL equals a registered one, character by character. For loopback addresses the port may differ, since native
 * clients listen on any free one.
 * @see RFC 9700 section 2.1, RFC 8252 section 7.3
 */
export function matchesRedirectUri(requested: string, registered: readonly string[]): boolean {
  if (!isRegistrable(requested)) return false
  if (registered.includes(requested)) return true
  return (
    isLoopback(requested) && registered.some((uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(requested))
  )
}
