/** The addresses of the pages beside one, as the server gives them. */
export interface PageLinks {
  readonly next: string | undefined
  readonly prev: string | undefined
}

/**
 * The queries of the next and the previous page, by a `Link` header (RFC 8288) whose targets are pages of the same list; undefined
 * where the answer has none.
 */
export function readLinks(header: string | null): PageLinks | undefined {
  if (header === null) return undefined
  const found = new Map<string, string>()
  for (const [, target = '', rel = ''] of header.matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)) {
    const mark = target.indexOf('?')
    if (mark >= 0) found.set(rel, target.slice(mark))
  }
  return { next: found.get('next'), prev: found.get('prev') }
}
