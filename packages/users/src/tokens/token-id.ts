import { randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 64

// Bytes past the last whole round would make some signs likelier than others.
const fair = 256 - (256 % alphabet.length)

/** A new id of a token: 64 letters and digits, more than 380 bits of randomness. */
export function newTokenId(): string {
  let id = ''
  while (id.length < length)
    id += Array.from(randomBytes(length), (byte) => (byte < fair ? alphabet[byte % alphabet.length] : '')).join('')
  return id.slice(0, length)
}
