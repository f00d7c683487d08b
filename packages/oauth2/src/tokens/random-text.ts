import { randomBytes } from 'node:crypto'

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The largest multiple of 62 in a byte: greater ones would make some signs more frequent. */
const usable = 256 - (256 % signs.length)

/** A text of letters and digits that nobody can guess: 32 signs hold 190 bits. */
export function randomText(length = 32): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length * 2))
      if (byte < usable && text.length < length) text += signs[byte % signs.length]
  return text
}
