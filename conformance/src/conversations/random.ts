/** Choices that come out alike for the same seed. */
export interface Random {
  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean
  /** A whole number from 0 up to, but not including, `below`. */
  int(below: number): number
  pick<Item>(list: readonly Item[]): Item
  /** Between `least` and `most` different items, in the order of the list. */
  some<Item>(list: readonly Item[], least: number, most: number): readonly Item[]
}

/** Choices by the generator mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    chance: (probability) => next() < probability,
    pick: <Item>(list: readonly Item[]) => list[int(list.length)] as Item, // Lists to pick from are never empty.
    some(list, least, most) {
      const left = list.map((_, index) => index)
      const size = Math.min(list.length, least + int(most - least + 1))
      const taken = Array.from({ length: size }, () => left.splice(int(left.length), 1)[0] ?? 0)
      return list.filter((_, index) => taken.includes(index))
    }
  }
}
