/**
 * The function that a JSONP client names, stripped to characters that cannot end an expression; undefined when the
 * client names none. Of a list the first counts.
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
