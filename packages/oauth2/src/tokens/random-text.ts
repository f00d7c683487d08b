import { randomBytes } from 'node:crypto'

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The largest multiple of 62 in a byte: greater ones would make some signs more frequent. */
const usable = 256 - (256 % signs.length)

/** An unguessable string of letters and digits: 32 characters hold 190 bits. */
export function randomText(length = 32): string {
  let text = ''
  while (text.length < length) {
    const bytes = [...randomBytes(length * 2)].filter((byte) => byte < usable)
    text += bytes.map((byte) => signs[byte % signs.length]).join('')
  }
  return text.slice(0, length)
}
