import { randomBytes } from 'node:crypto'

/** 100-nanosecond steps between 15 October 1582 and the Unix epoch. */
const gregorianOffset = 122192928000000000n
const node = randomBytes(6)
// RFC 9562 section 6.10: a random node id has the multicast bit set, so that it never equals a network card's.
node.writeUInt8(node.readUInt8(0) | 1, 0)
const nodeText = node.toString('hex')
const clockSequence = ((randomBytes(2).readUInt16BE(0) & 0x3fff) | 0x8000).toString(16)

/**
 * Makes a function that returns time-based UUIDs, each later than the one before.
 * @see RFC 9562 section 5.1
 */
export function createUuidV1(now: () => number = Date.now): () => string {
  let last = 0n
  return () => {
    const time = BigInt(now()) * 10000n + gregorianOffset
    last = time > last ? time : last + 1n
    const text = last.toString(16).padStart(15, '0')
    return `${text.slice(7)}-${text.slice(3, 7)}-1${text.slice(0, 3)}-${clockSequence}-${nodeText}`
  }
}

/** A time-based UUID. */
export const uuidV1: () => string = createUuidV1()
