import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { newUserCode, readUserCode } from '#src/server/store/device-codes.ts'

const letter = fc.constantFrom(...Array.from('BCDFGHJKLMNPQRSTVWXZ'))
const code = fc.array(letter, { minLength: 8, maxLength: 8 })
// Signs that people and their keyboards put between letters, a dash of typographers and a no-break space among them.
const between = fc.string({
  unit: fc.constantFrom(...Array.from(' -_.\t\n,:;·‐‑–—−\u00A0\u2009\u200B\uFEFF')),
  maxLength: 3
})

/** @see RFC 8628 section 6.1: signs that are not of the set are ignored, and so is case */
void t.test('a code is the same in any case, with any blanks and dashes between its letters', async () => {
  const signs = fc.array(fc.tuple(between, fc.boolean()), { minLength: 9, maxLength: 9 })
  fc.assert(
    fc.property(code, signs, (letters, written) => {
      const letterAt = (at: number): string => letters[at] ?? ''
      const typed = written
        .map(([gap, isLow], at) => gap + (isLow ? letterAt(at).toLowerCase() : letterAt(at)))
        .join('')
      return readUserCode(typed) === `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
    })
  )
})

void t.test('a code that is read has the form of the codes that are made, and reads as itself', async () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.oneof(letter, fc.constantFrom(...Array.from('bcdaeiou0189-ß ſﬀ'))),
      minLength: 6,
      maxLength: 11
    })
  )
  const form = newUserCode().replaceAll(/[A-Z]/g, '[BCDFGHJKLMNPQRSTVWXZ]')
  fc.assert(
    fc.property(typed, (given) => {
      const read = readUserCode(given)
      return read === undefined || (new RegExp(`^${form}$`).test(read) && readUserCode(read) === read)
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('another letter or digit is not left out of a code', async () => {
  fc.assert(
    fc.property(
      code,
      fc.constantFrom(...Array.from('AEIOUY0123456789ÄÉ')),
      fc.nat({ max: 7 }),
      (letters, other, at) => {
        return (
          readUserCode(letters.with(at, other).join('')) === undefined &&
          readUserCode([...letters, other].join('')) === undefined
        )
      }
    )
  )
})
