const reserved: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])
const asKey = new RegExp(`"(?:${[...reserved].join('|')})"\\s*:|\\\\u`)

/** True for names that belong to JavaScript's object model: `__proto__`, `constructor`, `prototype`, `toString`, … */
export function isReservedName(name: string): boolean {
  return reserved.has(name)
}

/** False when no object in the JSON text `json` can have a reserved name as a key; true means: look at the keys. */
export function mayHoldReservedName(json: string): boolean {
  return asKey.test(json)
}
