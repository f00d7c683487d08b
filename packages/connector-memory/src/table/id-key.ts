import type { ValueType } from '@modelwire/core/connector'

/** The key of an id in a Map: equal for equal ids. */
export type IdKey = string | number

/** Makes the key of an id. Ids are compared as values of their declared type. */
export type MakeIdKey = (id: unknown) => IdKey

/** Makes the function that converts ids of `type` to keys. */
export function makeIdKey(type: ValueType | undefined): MakeIdKey {
  return idKeys[type?.kind ?? 'any'] ?? textKey
}

/** The string for an id in a file: for numbers and strings the same as in LoopBack 3. */
export function textKey(id: unknown): string {
  if (typeof id === 'string') return id
  if (id instanceof Date) return Number.isNaN(id.getTime()) ? 'Invalid Date' : id.toISOString()
  if (id instanceof Uint8Array) return Buffer.from(id).toString('hex')
  return typeof id === 'object' && id !== null ? textOfObject(id) : String(id)
}

const idKeys: Readonly<Partial<Record<ValueType['kind'], MakeIdKey>>> = {
  number: numberKey,
  integer: numberKey
}

function numberKey(id: unknown): IdKey {
  if (typeof id === 'number') return id
  const number = typeof id === 'string' && id.trim() !== '' ? Number(id) : NaN
  return Number.isNaN(number) ? textKey(id) : number
}

/** Ids of other databases are instances of a class with a text form. */
function textOfObject(id: object): string {
  const prototype: unknown = Object.getPrototypeOf(id)
  const isPlain = prototype === Object.prototype || prototype === null || Array.isArray(id)
  return isPlain ? JSON.stringify(id) : String(id)
}
