import { PathInvalid } from './resource-errors.ts'

/** The host that a request may name before its path, which routers leave out. @see RFC 9112 section 3.2.2 */
const host = /^https?:\/\/[^/?#]*/i

/** The path of a request as routers may read it: decoded, in lower case, without empty segments. Undefined where it cannot be decoded. */
export function normalPath(url: string): string | undefined {
  const [path = ''] = url.replace(host, '').split(/[?#]/, 1)
  try {
    return decodeURIComponent(path)
      .toLowerCase()
      .replaceAll(/\/{2,}/g, '/')
  } catch {
    // No router can read it either; whoever protects paths protects this one.
    return undefined
  }
}

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function segmentSource(segment: string): string {
  if (/^:\w+$/.test(segment)) return '[^/]+'
  return segment.split('*').map(escapeText).join('.*')
}

/**
 * Makes the test whether a path is at or below `pattern`, a path in which `:name` stands for a segment and `*` for anything.
 * What it cannot decide it takes for protected.
 * @throws {PathInvalid} it is no path
 */
export function compilePath(pattern: string): (path: string | undefined) => boolean {
  const hasOther = /[()[\]{}?+^$|\\]/.test(pattern)
  if (!pattern.startsWith('/') || hasOther)
    throw new PathInvalid(`"${pattern}" is no path: it starts with /, and knows :name and * alone`, {})
  const decoded = normalPath(pattern)
  if (decoded === undefined) throw new PathInvalid(`"${pattern}" is no path: it cannot be decoded`, {})
  const segments = decoded.split('/').filter((segment) => segment !== '')
  const source = segments.map((segment) => `/${segmentSource(segment)}`).join('')
  // A path may hold line breaks, and letters of which there are two in lower case.
  const expression = new RegExp(`^${source}(?:[/;]|$)`, 'isu')
  return (path) => path === undefined || expression.test(path)
}
