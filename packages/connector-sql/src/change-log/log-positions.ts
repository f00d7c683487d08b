import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'

/** The place of an entry: entries of a batch were committed before those of the next one. */
export interface LogPlace {
  readonly batch: number
  readonly id: number
}

/** One block of AES is a permutation: no position reveals another one, or how many changes there were between two. */
const cipher = 'aes-128-ecb'
const blockLength = 16
/** Bytes of each part of a place; what is left of the block is random, so that equal places do not show. */
const size = 6

/** Greater than any id. */
export const behindAll = 2 ** (8 * size) - 1

/**
 * Encodes a place as an opaque position for readers: a different string each time.
 * @param secret 16 bytes, which all processes share
 */
export function writePosition(secret: Buffer, { batch, id }: LogPlace): string {
  const block = Buffer.alloc(blockLength)
  block.writeUIntBE(batch, 0, size)
  block.writeUIntBE(id, size, size)
  randomFillSync(block, 2 * size)
  const encryption = createCipheriv(cipher, secret, null).setAutoPadding(false)
  return Buffer.concat([encryption.update(block), encryption.final()]).toString('base64url')
}

/** Decodes a position; undefined for a string of another length. Any other string decodes to some place. */
export function readPosition(secret: Buffer, text: string): LogPlace | undefined {
  const block = Buffer.from(text, 'base64url')
  if (block.length !== blockLength) return undefined
  const decryption = createDecipheriv(cipher, secret, null).setAutoPadding(false)
  const plain = Buffer.concat([decryption.update(block), decryption.final()])
  return { batch: plain.readUIntBE(0, size), id: plain.readUIntBE(size, size) }
}
