import { isPlainObject } from '../values/clone-plain.ts'

/** A list, or an object whose keys count from 0 as brackets produce it; undefined for anything else. */
export function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[] // its items are looked at later
  if (!isPlainObject(value)) return undefined
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}
