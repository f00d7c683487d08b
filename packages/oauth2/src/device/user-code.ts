import { randomInt } from 'node:crypto'

/** Letters that are not taken for others, and make no words. @see RFC 8628 section 6.1 */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** A new code for people: 34 bits, in two groups of four. */
export function newUserCode(): string {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
  return showUserCode(code)
}

/**
 * A code as it is looked for; undefined for what cannot be one. People write in lower case, with blanks and dashes,
 * which their keyboards make longer: what is not a letter or digit is left out.
 * @see RFC 8628 section 6.1
 */
export function readUserCode(text: string | undefined): string | undefined {
  const code = (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return code.length === length && Array.from(code).every((letter) => letters.includes(letter))
    ? showUserCode(code)
    : undefined
}

const showUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
