import { createCipheriv, createDecipheriv, randomBytes, randomFillSync } from 'node:crypto'

/** One block of AES is a permutation: no text reveals which others there are. */
const cipher = 'aes-128-ecb'
const blockLength = 16
/** Zeros in the middle distinguish texts that were written here from others. */
const [checkStart, saltStart] = [8, 12]

/**
 * Writes numbers as texts that only the writer can read: who sees two of them does not learn how far apart they are, nor whether they
 * are the same. Each instance has a secret of its own.
 */
export class HiddenNumbers {
  readonly #secret = randomBytes(16)

  /** The text of a whole number from 0. */
  hide(number: number): string {
    const block = Buffer.alloc(blockLength)
    block.writeDoubleBE(number)
    randomFillSync(block, saltStart)
    const encryption = createCipheriv(cipher, this.#secret, null).setAutoPadding(false)
    return Buffer.concat([encryption.update(block), encryption.final()]).toString('base64url')
  }

  /** The number of a text; `NaN` for one that this instance did not write. */
  read(text: string): number {
    const block = Buffer.from(text, 'base64url')
    if (block.length !== blockLength) return Number.NaN
    const decryption = createDecipheriv(cipher, this.#secret, null).setAutoPadding(false)
    const plain = Buffer.concat([decryption.update(block), decryption.final()])
    return plain.subarray(checkStart, saltStart).every((byte) => byte === 0) ? plain.readDoubleBE() : Number.NaN
  }
}
