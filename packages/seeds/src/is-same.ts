import { isDeepStrictEqual } from 'node:util'

/** As JSON has it: dates are texts, and what is absent is null. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** True where two values are stored alike: the order of an object's members does not count, and null is as good as nothing. */
export const isSame = (first: unknown, second: unknown): boolean => isDeepStrictEqual(plain(first), plain(second))
