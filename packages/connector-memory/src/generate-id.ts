import { randomBytes } from 'node:crypto'

/** Generates a new id. */
export type GenerateId = () => string

const randomDigits = 12
const highest = 16 ** randomDigits - 1

/**
 * Makes a generator of ids with 24 hexadecimal characters that sort in the order of creation: 12 for the time in
 * milliseconds, 12 random ones that are incremented within a millisecond.
 */
export function createIdGenerator(now: () => number = Date.now): GenerateId {
  let time = 0
  let random = 0
  return () => {
    const current = now()
    if (current > time) [time, random] = [current, readRandom()]
    else if (random < highest) random++
    else [time, random] = [time + 1, readRandom()]
    return time.toString(16).padStart(12, '0') + random.toString(16).padStart(randomDigits, '0')
  }
}

/** 47 bits, so that there is room to count up. */
function readRandom(): number {
  return randomBytes(6).readUIntBE(0, 6) % 2 ** 47
}
