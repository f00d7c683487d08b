import type { RequestPath } from './split-target.ts'

/** Characters that stand for themselves in a segment, though `encodeURIComponent` encodes them. @see RFC 3986 section 3.3, pchar */
const selfStanding = /%(?:40|3A|24|26|2B|2C|3D)/g

/** Encodes a segment in the one way in which paths are written; a segment of dots stays one. */
export function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E')
  return encodeURIComponent(segment).replace(selfStanding, decodeURIComponent)
}

/** Writes a path with its query: two spellings of one path give the same text. */
export function writePath({ segments, endsWithSlash, query }: RequestPath): string {
  const path = `/${segments.map(encodeSegment).join('/')}`
  const slash = endsWithSlash && segments.length > 0 ? '/' : ''
  return `${path}${slash}${query === undefined ? '' : `?${query}`}`
}

/** True where a segment is `.` or `..` for a server of files. */
export function hasDotSegment({ segments }: RequestPath): boolean {
  return segments.some((segment) => segment.split(/[/\\]/).some((part) => part === '.' || part === '..'))
}
