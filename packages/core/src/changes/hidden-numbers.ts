import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** One block of AES is a permutation: equal numbers have equal texts, and no text reveals which others there are. */
const cipher = 'aes-128-ecb'
const blockLength = 16

/**
 * Writes numbers as texts that only the writer can read: who sees two of them does not learn how far apart they are. Each instance
 * has a secret of its own.
 */
export class HiddenNumbers {
  readonly #secret = randomBytes(16)

  /** The text of a whole number from 0. */
  hide(number: number): string {
    const block = Buffer.alloc(blockLength)
    block.writeDoubleBE(number)
    const encryption = createCipheriv(cipher, this.#secret, null).setAutoPadding(false)
    return Buffer.concat([encryption.update(block), encryption.final()]).toString('base64url')
  }

  /** The number of a text; `NaN` for one that this instance did not write. */
  read(text: string): number {
    const block = Buffer.from(text, 'base64url')
    if (block.length !== blockLength) return Number.NaN
    const decryption = createDecipheriv(cipher, this.#secret, null).setAutoPadding(false)
    const plain = Buffer.concat([decryption.update(block), decryption.final()])
    return plain.subarray(8).every((byte) => byte === 0) ? plain.readDoubleBE() : Number.NaN
  }
}
