const mostAnswers = 200

const mostCharacters = 300

/**
 * Writes any `value` as JSON: a circular part becomes `[Circular]`, a big integer a string. `indent` is the number of
 * spaces per level, none when absent.
 */
export function writeAnyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch {
    return JSON.stringify(withoutCycles(value, []), undefined, indent)
  }
}

/** True for JSON media types, including `application/problem+json`. */
export const isJsonType = (type: unknown): boolean => /^application\/([\w.-]+\+)?json\b/.test(String(type))

/** `value` in readable form: a string as is, an object as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? writeAnyJson(value) : String(value)
}

function withoutCycles(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (parents.includes(value)) return '[Circular]'
  const path = [...parents, value]
  if (Array.isArray(value)) return value.map((item) => withoutCycles(item, path))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutCycles(member, path)]))
}

/**
 * The function that a JSONP client names, stripped of characters that could end an expression; undefined if the client
 * names none. Of a list the first one counts.
 */
export function cleanCallback(callback: unknown): string | undefined {
  const name: unknown = Array.isArray(callback) ? callback[0] : callback
  if (typeof name !== 'string') return undefined
  return name.replace(/[^[\]\w$.]/g, '') || undefined
}

/**
 * A script that calls the client's function with `json`. `callback` comes from `cleanCallback`. Send it with
 * `X-Content-Type-Options: nosniff`.
 * @see recording formats/jsonp
 */
export function writeJsonp(callback: string, json: string): string {
  // Two characters end a line in older scripts, but not in JSON.
  const script = json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  // The comment keeps the answer from being read as something else than a script.
  return `/**/ typeof ${callback} === 'function' && ${callback}(${script});`
}

/** Wraps `compute` with a cache of results for short strings; it is cleared when there are too many. */
export function cacheByText<Answer extends object | string>(
  compute: (text: string) => Answer
): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    const cached = answers.get(text)
    if (cached !== undefined) return cached
    const answer = compute(text)
    if (text.length > mostCharacters) return answer
    if (answers.size >= mostAnswers) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
