/**
 * A deep copy of plain data, dates and buffers. Instances of other classes are kept: they are values, not containers. Own
 * `__proto__` keys stay own keys.
 */
export function clonePlain<T>(value: T): T
export function clonePlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => clonePlain(item))
  if (!isPlainObject(value)) return cloneValue(value)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, clonePlain(value[key]))
  return copy
}

/** Dates and bytes can be changed in place, so they are copied; ids of databases and the like cannot. */
function cloneValue(value: object): object {
  if (value instanceof Date) return new Date(value)
  return Buffer.isBuffer(value) ? Buffer.from(value) : value
}

/** True for `{}` and for objects without a prototype; false for arrays, dates, buffers and instances. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** True for what JSON holds without loss. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  // A hole in a list is undefined.
  if (Array.isArray(value)) return [...(value as unknown[])].every(isJson) // a list of anything
  return isPlainObject(value) && Object.values(value).every(isJson)
}

/** The JSON of a value, from which the same value can be read again; undefined where JSON would lose or change something. */
export const exactJson = (value: unknown): string | undefined => (isJson(value) ? JSON.stringify(value) : undefined)

/** JSON by which values can be compared: different regular expressions differ in it. */
export const comparableJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_name, part: unknown) => (part instanceof RegExp ? String(part) : part))

/** Sets an own property of any name: `__proto__` never affects the prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}
