import type { DiscoverOptions } from '@modelwire/core/connector'

/** Makes a name of one of the database. */
export type NameOf = NonNullable<DiscoverOptions['nameOf']>

/** For names that have no letter. */
const nameless = { model: 'Table', property: 'column' }

/**
 * A name for each name of the database: what `nameOf` makes of it, with a number behind it where another one has that name.
 * Who is called so itself comes first.
 */
export function uniqueNames(
  kind: keyof typeof nameless,
  originals: readonly string[],
  nameOf: NameOf
): ReadonlyMap<string, string> {
  const made = originals.map((original) => ({ original, name: nameOf(kind, original) || nameless[kind] }))
  const own = made.filter(({ original, name }) => original === name)
  const names = new Map(own.map(({ original, name }) => [original, name]))
  const taken = new Set(names.values())
  for (const { original, name } of made) {
    if (names.has(original)) continue
    const free = freeName(name, taken)
    names.set(original, free)
    taken.add(free)
  }
  return names
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  return free
}
