import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Characters that stand for themselves in a segment, though `encodeURIComponent` encodes them. @see RFC 3986 section 3.3, pchar */
const selfStanding = /%(?:40|3A|24|26|2B|2C|3D)/g

/** The path of a request, normalized whatever the client wrote. */
export interface RequestPath {
  /** Decoded segments, none of them empty. A segment may contain a slash that the client encoded. */
  readonly segments: readonly string[]
  readonly endsWithSlash: boolean
  /** The text after the path as the client wrote it, without its delimiter; undefined without a delimiter. */
  readonly query: string | undefined
}

/** Scheme and authority of a request target in absolute form. @see RFC 9112 section 3.2.2 */
const origin = /^https?:\/\/([^/?#]+)/i

/** A request target as Fastify's router reads it: path and query as the client wrote them. */
export interface OriginForm {
  /** The authority of the absolute form; undefined for a target in origin form. */
  readonly authority: string | undefined
  /** Starts with a slash. */
  readonly target: string
}

/**
 * Removes the origin from a request target; undefined for a target without a path, such as `*`.
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

/** The path of a request as its client wrote it, for messages and URLs: without the origin and the query. */
export const writtenPath = ({ url = '/' }: { readonly url?: string | undefined }): string =>
  (originForm(url)?.target ?? url).split('?', 1)[0] ?? url

/** Characters that clients may write as they are, though a URL has them percent-encoded. */
const unencoded = /[ "'<>^`{|}]|[^\p{ASCII}\p{Surrogate}]/gu

const encode = (text: string): string =>
  text.replace(unencoded, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)))

const base = 'http://localhost'

/**
 * A target in origin form as URL parsers normalize it; undefined if they would change more than percent-encoding: a
 * backslash becomes a slash, dot segments and control characters disappear. `inject` and `fetch` parse what they send, so a
 * target that was looked up may only be sent by them in this form.
 */
export function parsedTarget(target: string): string | undefined {
  const written = base + encode(target)
  return URL.canParse(written) && new URL(written).href === written && !target.includes('#')
    ? written.slice(base.length)
    : undefined
}

/**
 * Splits a request target as Fastify's router does: the origin of the absolute form is removed, the path ends at `?` or
 * `#`, and at `;` if `endsAtSemicolon`. Undefined for a target that has no path, or one that cannot be decoded.
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

/** Encodes a segment in normalized form; a dot segment stays one. */
export function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E')
  return encodeURIComponent(segment).replace(selfStanding, decodeURIComponent)
}

/** Writes a path with its query: equivalent paths give the same string. */
export function writePath({ segments, endsWithSlash, query }: RequestPath): string {
  const path = `/${segments.map(encodeSegment).join('/')}`
  const slash = endsWithSlash && segments.length > 0 ? '/' : ''
  return `${path}${slash}${query === undefined ? '' : `?${query}`}`
}

/** True if a segment is `.` or `..` for a file server. */
export function hasDotSegment({ segments }: RequestPath): boolean {
  return segments.some((segment) => segment.split(/[/\\]/).some((part) => part === '.' || part === '..'))
}

type Parameters = Readonly<Record<string, unknown>>

const wholeSegment = /^:([^:()*?./-]+)\??$/

/** On Windows files are found by either slash. */
const fileSeparator = /[/\\]/

const nonEmpty = (parts: readonly string[]): string[] => parts.filter((part) => part !== '')

const hasParameter = (part: string): boolean => part.replaceAll('::', '').includes(':')

/** Fastify's types know the option at its old place alone. */
function semicolonEndsPath({ initialConfig }: FastifyInstance): boolean {
  const ofRouter: unknown = Reflect.get(initialConfig.routerOptions ?? {}, 'useSemicolonDelimiter')
  return Boolean(ofRouter ?? initialConfig.useSemicolonDelimiter)
}

/** The query string of a request as its client wrote it, which Fastify parses into `request.query`. */
export function writtenQuery({ raw: { url = '' }, server }: FastifyRequest): string {
  if (url.includes(';') && semicolonEndsPath(server)) return splitTarget(url, true)?.query ?? ''
  const mark = url.search(/[?#]/)
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** True where the values of parameters are segments: each has a segment and a name to itself. */
function isSimple(parts: readonly string[]): boolean {
  const named = parts.filter(hasParameter)
  return new Set(named).size === named.length && named.every((part) => wholeSegment.test(part))
}

/** A segment that a route declares, which may be encoded; `::` stands for a colon. */
function declaredSegment(part: string): string {
  const text = part.replaceAll('::', ':')
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that stands for itself.
    return text
  }
}

const lowerAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** The client's spelling where it differs in the case of ASCII letters alone, which all servers compare alike. */
function staticSegment(part: string, written: string | undefined): string {
  const declared = declaredSegment(part)
  return written !== undefined && lowerAscii(written) === lowerAscii(declared) ? written : declared
}

function fillPattern(pattern: string, params: Parameters, written: readonly string[]): string[] {
  const parts = nonEmpty(pattern.split('/'))
  const simple = isSimple(parts)
  const segments = parts.map((part, at) => {
    if (!hasParameter(part)) return staticSegment(part, written[at])
    const name = simple ? wholeSegment.exec(part)?.[1] : undefined
    return name === undefined ? (written[at] ?? '') : String(params[name] ?? '')
  })
  return nonEmpty(segments)
}

function routedPath(pattern: string, params: Parameters, split: RequestPath): RequestPath {
  const [, start = '', wildcard] = /^(|.*\/)(\*)?$/s.exec(pattern) ?? [undefined, pattern]
  if (wildcard === undefined && pattern.endsWith('*')) return split
  const segments = fillPattern(start, params, split.segments)
  if (wildcard === undefined) return { ...split, segments, endsWithSlash: pattern.endsWith('/') }
  return { ...split, segments: [...segments, ...nonEmpty(String(params['*'] ?? '').split(fileSeparator))] }
}

/** The target of a request. A router of Express that has it at the moment leaves the part that it is mounted at elsewhere. */
function targetOf({ raw }: FastifyRequest): string {
  const mounted: unknown = Reflect.get(raw, 'baseUrl')
  return `${typeof mounted === 'string' ? mounted : ''}${raw.url ?? '/'}`
}

/**
 * The path by which a request's route was chosen: segments that the route declares are spelled as declared, except for
 * the case of ASCII letters, and parameters have the values that its handler receives. A request without a route has the
 * path that the client wrote. Undefined if the target has no path, or one that cannot be decoded.
 *
 * All decisions by path use this one, since a router accepts many spellings of the same path.
 */
export function requestPath(request: FastifyRequest): RequestPath | undefined {
  const split = splitTarget(targetOf(request), semicolonEndsPath(request.server))
  const { url: pattern } = request.routeOptions
  if (split === undefined || pattern === undefined || request.is404) return split
  const { params } = request
  return routedPath(pattern, typeof params === 'object' && params !== null ? (params as Parameters) : {}, split) // read by name
}

const lower = (segments: readonly string[]): readonly string[] => segments.map((each) => each.toLowerCase())

/**
 * True if the path of a request is one of `paths` or below one of them, in any case and spelling. An invalid path matches
 * nothing.
 */
export function isBelow(request: FastifyRequest, paths: readonly string[]): boolean {
  const path = requestPath(request)
  if (path === undefined) return false
  const segments = lower(path.segments)
  return paths.some((root) => {
    const split = splitTarget(root === '' ? '/' : root)
    return split !== undefined && lower(split.segments).every((each, at) => each === segments[at])
  })
}
