import { createHash } from 'node:crypto'
import type { TableDialect } from './sql-table.ts'

type Names = Pick<TableDialect, 'longestName'>

/**
 * The name, if the database would not truncate it; else its end, which names the column, prefixed with a short hash of all
 * of it.
 */
export function fitName({ longestName }: Names, name: string): string {
  if (longestName === undefined || sizeOf(name, longestName.unit) <= longestName.length) return name
  const hash = `${createHash('sha256').update(name).digest('hex').slice(0, 8)}_`
  const characters = Array.from(name)
  while (sizeOf(characters.join(''), longestName.unit) > longestName.length - hash.length) characters.shift()
  return hash + characters.join('')
}

/** The name, with a number appended if it is `taken`; it is taken afterwards. */
export function takeName(
  names: Names & { readonly fold: (name: string) => string },
  taken: Set<string>,
  name: string
): string {
  let free = fitName(names, name)
  for (let number = 2; taken.has(names.fold(free)); number++) free = fitName(names, `${name}_${number}`)
  taken.add(names.fold(free))
  return free
}

function sizeOf(name: string, unit: 'bytes' | 'characters'): number {
  return unit === 'bytes' ? Buffer.byteLength(name) : name.length
}
