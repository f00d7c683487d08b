/** The host that a request may name before its path. @see RFC 9112 section 3.2.2 */
const host = /^https?:\/\/[^/?#]*/i

/** True when a request's URL is one of `paths` or below one of them, in any case. */
export function isBelow(url: string, paths: readonly string[]): boolean {
  const path = `${url.replace(host, '').split('?')[0] ?? ''}/`.toLowerCase()
  return paths.some((root) => path.startsWith(`${root.toLowerCase().replace(/\/+$/, '')}/`))
}
