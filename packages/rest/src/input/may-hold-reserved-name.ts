import { reservedNames } from '@modelwire/core'

const asKey = new RegExp(`"(?:${[...reservedNames].join('|')})"\\s*:|\\\\u`)

/** False when no object in the JSON text `json` can have a reserved name as a key; true means: look at the keys. */
export function mayHoldReservedName(json: string): boolean {
  return asKey.test(json)
}
