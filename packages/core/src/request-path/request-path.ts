import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type RequestPath, splitTarget } from './split-target.ts'

type Parameters = Readonly<Record<string, unknown>>

const wholeSegment = /^:([^:()*?./-]+)\??$/

/** On Windows files are found by either slash. */
const fileSeparator = /[/\\]/

const nonEmpty = (parts: readonly string[]): string[] => parts.filter((part) => part !== '')

const hasParameter = (part: string): boolean => part.replaceAll('::', '').includes(':')

/** Fastify's types know the option at its old place alone. */
function endsAtSemicolon({ initialConfig }: FastifyInstance): boolean {
  const ofRouter: unknown = Reflect.get(initialConfig.routerOptions ?? {}, 'useSemicolonDelimiter')
  return Boolean(ofRouter ?? initialConfig.useSemicolonDelimiter)
}

/** The query string of a request as its client wrote it: what Fastify reads `request.query` from. */
export function writtenQuery({ raw: { url = '' }, server }: FastifyRequest): string {
  if (url.includes(';') && endsAtSemicolon(server)) return splitTarget(url, true)?.query ?? ''
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
 * The path that a request's route was chosen by: segments that the route declares are spelled as it declares them, but for
 * the case of ASCII letters, and parameters have the values that its handler gets. A request without a route has the path that the client wrote. Undefined
 * where the target has no path, or one that cannot be decoded.
 *
 * Every decision by path is made by this one: a router takes many spellings for the same path.
 */
export function requestPath(request: FastifyRequest): RequestPath | undefined {
  const split = splitTarget(targetOf(request), endsAtSemicolon(request.server))
  const { url: pattern } = request.routeOptions
  if (split === undefined || pattern === undefined || request.is404) return split
  const { params } = request
  return routedPath(pattern, typeof params === 'object' && params !== null ? (params as Parameters) : {}, split) // read by name
}
