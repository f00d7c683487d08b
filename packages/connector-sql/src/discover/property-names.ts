import type { DiscoverOptions } from '@modelwire/core'

/**
 * The property of each column, by the name of the column: what `nameOf` makes of it, with a number behind it where another
 * column has that name. A column that is called so itself comes first.
 */
export function propertyNames(
  columns: readonly string[],
  nameOf: NonNullable<DiscoverOptions['nameOf']>
): ReadonlyMap<string, string> {
  const made = columns.map((column) => ({ column, name: nameOf('property', column) || 'column' }))
  const own = made.filter(({ column, name }) => column === name)
  const names = new Map(own.map(({ column, name }) => [column, name]))
  const taken = new Set(names.values())
  for (const { column, name } of made) {
    if (names.has(column)) continue
    const free = freeName(name, taken)
    names.set(column, free)
    taken.add(free)
  }
  return names
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  return free
}
