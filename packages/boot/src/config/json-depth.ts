/** Levels of a file: more than any real file has, and few enough for recursion. */
export const deepest = 500

const openers = new Set(['{', '['])
const closers = new Set(['}', ']'])

/** A text of JSON, or a bracket. What lies in texts is skipped; one that does not end is a mistake that is found later. */
const parts = /"(?:[^"\\]|\\.)*"?|[{}[\]]/gs

/** Whether a text, JSON or not, is nested deeper than any file should be. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  for (const [part] of json.matchAll(parts)) {
    if (openers.has(part)) depth++
    else if (closers.has(part)) depth--
    if (depth > deepest) return true
  }
  return false
}
