import type { LogPlace } from '@modelwire/core/plugin'

/** Negative where `a` stands before `b`, 0 where they are the same. */
export const comparePlaces = (a: LogPlace, b: LogPlace): number => a[0] - b[0] || a[1] - b[1]

/** The later one of two places. */
export const laterPlace = (a: LogPlace, b: LogPlace): LogPlace => (comparePlaces(a, b) < 0 ? b : a)

/** A place as text, such as `12-34`. */
export const writePlace = ([first, second]: LogPlace): string => `${first}-${second}`

/** The place that a text stands for; undefined for another text. */
export function readPlace(text: string): LogPlace | undefined {
  const [, first, second] = /^(\d{1,16})-(\d{1,16})$/.exec(text) ?? []
  return first === undefined || second === undefined ? undefined : [Number(first), Number(second)]
}
