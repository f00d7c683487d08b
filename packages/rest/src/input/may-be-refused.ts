import { reservedNames } from '@modelwire/core/plugin'

const refusable = new RegExp(`"(?:${[...reservedNames].join('|')})"\\s*:|\\\\u`)

/**
 * False when nothing in the JSON text `json` can have a reserved name as a key, or half of a surrogate pair, which only an escape can
 * write. True means: look at the value.
 */
export function mayBeRefused(json: string): boolean {
  return refusable.test(json)
}
