/** Numbers that look random and are the same each time. */
export interface Random {
  /** A whole number from 0 and below `end`. */
  integer: (end: number) => number
  /** One of a list that is not empty. */
  pick: <Item>(list: readonly Item[]) => Item
}

/** Makes a source of numbers from `seed`. @see mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (end: number): number => Math.floor(next() * end)
  return { integer, pick: (list) => pickFrom(list, integer) }
}

function pickFrom<Item>(list: readonly Item[], integer: (end: number) => number): Item {
  const item = list[integer(list.length)]
  if (item === undefined) throw new RangeError('nothing can be picked from an empty list')
  return item
}
