import { hasDotSegment, requestPath, splitTarget } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { PathInvalid } from './resource-errors.ts'

/** A path by which a request may be decided about; undefined where it cannot be decoded. */
export interface ComparedPaths {
  /** As the route was chosen and its handler sees it: what a parameter holds does not lead out of its segment. */
  readonly routed: string | undefined
  /** As another reader may take it: a slash that was encoded separates like any other. Undefined with segments of dots, which may lead anywhere. */
  readonly loose: string | undefined
}

const join = (segments: readonly string[]): string => `/${segments.join('/')}`.toLowerCase().replaceAll(/\/{2,}/g, '/')

/** The path of a request target as any reader may take it: decoded, in lower case, without empty segments. Undefined where it cannot be decoded. */
export function normalPath(target: string): string | undefined {
  const path = splitTarget(target)
  return path && join(path.segments)
}

/** The paths by which a request is decided about. */
export function comparedPaths(request: FastifyRequest): ComparedPaths {
  const path = requestPath(request)
  if (path === undefined) return { routed: undefined, loose: undefined }
  const closed = path.segments.map((segment) => segment.replaceAll(/[/;]/g, encodeURIComponent))
  return { routed: join(closed), loose: hasDotSegment(path) ? undefined : join(path.segments) }
}

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function segmentSource(segment: string): string {
  if (/^:\w+$/.test(segment)) return '[^/]+'
  return segment.split('*').map(escapeText).join('.*')
}

/**
 * Makes the test whether a path is at or below `pattern`, a path in which `:name` stands for a segment and `*` for
 * anything. What it cannot decide it takes for protected.
 * @throws {PathInvalid} it is not a path
 */
export function compilePath(pattern: string): (path: string | undefined) => boolean {
  const hasOther = /[()[\]{}?+^$|\\]/.test(pattern)
  if (!pattern.startsWith('/') || hasOther)
    throw new PathInvalid(
      `"${pattern}" is not a valid path: it must start with /, and may contain :name and * only`,
      {}
    )
  const decoded = normalPath(pattern)
  if (decoded === undefined) throw new PathInvalid(`"${pattern}" is not a valid path: it cannot be decoded`, {})
  const segments = decoded.split('/').filter((segment) => segment !== '')
  const source = segments.map((segment) => `/${segmentSource(segment)}`).join('')
  // A path may hold line breaks, and letters of which there are two in lower case.
  const expression = new RegExp(`^${source}(?:[/;]|$)`, 'isu')
  return (path) => path === undefined || expression.test(path)
}
