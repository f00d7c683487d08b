import type { LogPlace } from '@modelwire/core/plugin'

/** A stream in which places grow with sequences. */
export interface Searched {
  readonly first: number
  readonly last: number
  /** The place of a message; undefined where there is none. */
  readonly placeOf: (sequence: number) => Promise<LogPlace | undefined>
}

/** The sequence of the first message behind a place; that behind the last one where there is none. */
export async function findSequence({ first, last, placeOf }: Searched, after: LogPlace): Promise<number> {
  let [low, high] = [first, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const place = await placeOf(middle)
    const isBehind = place !== undefined && (place[0] - after[0] || place[1] - after[1]) > 0
    if (isBehind) high = middle
    else low = middle + 1
  }
  return low
}
