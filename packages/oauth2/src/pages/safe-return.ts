// Only used as a base: it is never requested.
const here = 'http://here.invalid'

/**
 * A path of this server with its query, in one certain form; undefined for everything that could lead elsewhere:
 * addresses with a host, `//host`, `/\host`, other schemes, and control characters that browsers leave out.
 */
export function safeReturn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || hasOddSigns(value) || !URL.canParse(value, here))
    return undefined
  const { origin, pathname, search } = new URL(value, here)
  // What remains of `/.//host` is `//host`.
  return origin === here && !pathname.startsWith('//') ? pathname + search : undefined
}

// Addresses in requests are written in these signs; browsers read a backslash as a slash.
const hasOddSigns = (text: string): boolean => !/^[!-~]+$/.test(text) || text.includes('\\')
