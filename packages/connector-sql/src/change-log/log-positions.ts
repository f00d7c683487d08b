import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Where an entry stands: entries of a batch were committed before those of the next one. */
export interface LogPlace {
  readonly batch: number
  readonly id: number
}

/** One block of AES is a permutation: no position reveals another one, or how many changes there were between two. */
const cipher = 'aes-128-ecb'
const blockLength = 16

/** The position of a place for readers. @param secret 16 bytes, which all processes share */
export function writePosition(secret: Buffer, { batch, id }: LogPlace): string {
  const block = Buffer.alloc(blockLength)
  block.writeDoubleBE(batch)
  block.writeDoubleBE(id, 8)
  const encryption = createCipheriv(cipher, secret, null).setAutoPadding(false)
  return Buffer.concat([encryption.update(block), encryption.final()]).toString('base64url')
}

/** The place of a position; undefined for a text that is none of this log. */
export function readPosition(secret: Buffer, text: string): LogPlace | undefined {
  const block = Buffer.from(text, 'base64url')
  if (block.length !== blockLength) return undefined
  const decryption = createDecipheriv(cipher, secret, null).setAutoPadding(false)
  const plain = Buffer.concat([decryption.update(block), decryption.final()])
  const place = { batch: plain.readDoubleBE(), id: plain.readDoubleBE(8) }
  return Object.values(place).every((part) => Number.isSafeInteger(part) && part >= 0) ? place : undefined
}
