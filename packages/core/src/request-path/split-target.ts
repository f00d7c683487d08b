/** The path of a request, spelled in one way whatever the client wrote. */
export interface RequestPath {
  /** Decoded segments, none of them empty. A segment may contain a slash that the client encoded. */
  readonly segments: readonly string[]
  readonly endsWithSlash: boolean
  /** The text behind the path as the client wrote it, without its delimiter; undefined without a delimiter. */
  readonly query: string | undefined
}

/** Scheme and authority of a request target in absolute form. @see RFC 9112 section 3.2.2 */
const origin = /^https?:\/\/[^/?#]*/i

/**
 * Splits a request target as Fastify's router does: the origin of the absolute form is left out, the path ends at `?` or `#`,
 * and at `;` where `endsAtSemicolon`. Undefined for a target that has no path, or one that cannot be decoded.
 * @see find-my-way: index.js, find; lib/url-sanitizer.js
 */
export function splitTarget(target: string, endsAtSemicolon = false): RequestPath | undefined {
  const rest = target.replace(origin, '')
  const written = rest.startsWith('/') || rest === target ? rest : `/${rest}`
  if (!written.startsWith('/')) return undefined
  const end = written.search(endsAtSemicolon ? /[?#;]/ : /[?#]/)
  const path = end === -1 ? written : written.slice(0, end)
  try {
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent)
    return { segments, endsWithSlash: path.endsWith('/'), query: end === -1 ? undefined : written.slice(end + 1) }
  } catch {
    // An invalid escape: Fastify answers it with 400 wherever it decodes the path.
    return undefined
  }
}
