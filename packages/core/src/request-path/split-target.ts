/** The path of a request, spelled in one way whatever the client wrote. */
export interface RequestPath {
  /** Decoded segments, none of them empty. A segment may contain a slash that the client encoded. */
  readonly segments: readonly string[]
  readonly endsWithSlash: boolean
  /** The text behind the path as the client wrote it, without its delimiter; undefined without a delimiter. */
  readonly query: string | undefined
}

/** Scheme and authority of a request target in absolute form. @see RFC 9112 section 3.2.2 */
const origin = /^https?:\/\/([^/?#]+)/i

/** A request target as Fastify's router reads it: path and query as the client wrote them. */
export interface OriginForm {
  /** The authority of the absolute form; undefined for a target in origin form. */
  readonly authority: string | undefined
  /** Begins with a slash. */
  readonly target: string
}

/**
 * Takes the origin off a request target; undefined for a target that has no path, such as `*`.
 * @see RFC 9112 section 3.2.1
 */
export function originForm(target: string): OriginForm | undefined {
  const [whole = '', authority] = origin.exec(target) ?? []
  const rest = target.slice(whole.length)
  // A fragment is no part of a target: with an origin, the router takes it for none.
  if (authority !== undefined && rest.includes('#')) return undefined
  if (rest.startsWith('/')) return { authority, target: rest }
  return authority === undefined ? undefined : { authority, target: `/${rest}` }
}

/** The path of a request as its client wrote it, for messages and addresses: without the origin and the query. */
export const writtenPath = ({ url = '/' }: { readonly url?: string | undefined }): string =>
  (originForm(url)?.target ?? url).split('?', 1)[0] ?? url

/** Characters that clients may write as they are, though a URL has them percent-encoded. */
const unencoded = /[ "'<>^`{|}]|[^\p{ASCII}\p{Surrogate}]/gu

const encode = (text: string): string =>
  text.replace(unencoded, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)))

const base = 'http://localhost'

/**
 * A target in origin form as URL parsers write it; undefined where they would change more than percent-encoding: a backslash becomes a
 * slash, segments of dots and control characters vanish. `inject` and `fetch` parse what they send, so that a target that was looked up
 * may only be sent by them as this one.
 */
export function parsedTarget(target: string): string | undefined {
  const written = base + encode(target)
  return URL.canParse(written) && new URL(written).href === written && !target.includes('#')
    ? written.slice(base.length)
    : undefined
}

/**
 * Splits a request target as Fastify's router does: the origin of the absolute form is left out, the path ends at `?` or `#`,
 * and at `;` where `endsAtSemicolon`. Undefined for a target that has no path, or one that cannot be decoded.
 * @see find-my-way: index.js, find; lib/url-sanitizer.js
 */
export function splitTarget(target: string, endsAtSemicolon = false): RequestPath | undefined {
  const written = originForm(target)?.target
  if (written === undefined) return undefined
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
