import { isPlainObject } from '../values/clone-plain.ts'

/**
 * The properties of an entry of `indexes` with their orders:
 * `{ keys: { a: 1 } }`, also as `fields`, `{ keys: ['a'] }`, `{ columns: 'a, b' }` or `{ a: 1 }`.
 */
export function indexKeys(
  written: Readonly<Record<string, unknown>>
): readonly (readonly [name: string, order: unknown])[] {
  const { columns, fields, keys = fields } = written
  if (typeof columns === 'string') return columns.split(',').map((name) => [name.trim().replaceAll(/["`]/g, ''), 1])
  if (Array.isArray(keys)) return keys.map((name) => [String(name), 1])
  if (isPlainObject(keys)) return Object.entries(keys)
  return Object.entries(written).filter(([, order]) => order === 1 || order === -1)
}
