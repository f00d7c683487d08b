import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { countDigits, isRoundedNumber } from '#src/values/exact-number.ts'

t.test('no number is rounded in the digits that JavaScript writes', async () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (number) => !isRoundedNumber(String(number))),
    { numRuns: runs(1000) }
  )
})

t.test('a whole number is rounded where it differs from its number', async () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (whole) => {
      const isExact =
        BigInt(Number(whole)) === whole || BigInt(String(Number(whole)).replace(/e.*/, '').replace('.', '')) === whole
      return isRoundedNumber(String(whole)) === !isExact
    }),
    { numRuns: runs(1000) }
  )
})

t.test('another digit behind those of a number is a rounded one', async () => {
  fc.assert(
    // Behind zero there would be no digits before it.
    fc.property(fc.maxSafeInteger().filter(Boolean), fc.integer({ min: 1, max: 9 }), (whole, last) =>
      isRoundedNumber(`${whole}.0000000000000000000${last}`)
    ),
    { numRuns: runs(300) }
  )
})

t.test('zeros, signs, points and exponents change nothing', async () => {
  const same = fc.constantFrom(
    (text: string) => `0000000000000000000${text}`,
    (text: string) => ` ${text} `,
    (text: string) => `${text}.00000000000000000000`,
    (text: string) => `${text}00000000000000000000e-20`
  )
  fc.assert(
    fc.property(fc.maxSafeInteger().map(Math.abs), same, (whole, write) => !isRoundedNumber(write(String(whole)))),
    { numRuns: runs(300) }
  )
})

t.test('what is near to zero or no number is told', async (t) => {
  t.equal(isRoundedNumber('1e-400'), true)
  t.equal(isRoundedNumber('0e-400'), false)
  t.equal(isRoundedNumber('0x20000000000001'), true)
  t.equal(isRoundedNumber('0x20000000000000'), false)
  for (const text of ['', 'x', '1e400', 'Infinity', 'NaN', '12345678901234567890x'])
    t.equal(isRoundedNumber(text), false)
})

t.test('digits are counted on both sides of the point', async (t) => {
  t.same(countDigits('-0012.3400'), { whole: 2, fraction: 2 })
  t.same(countDigits('1.5e3'), { whole: 4, fraction: 0 })
  t.same(countDigits('1.5e-3'), { whole: 0, fraction: 4 })
  t.same(countDigits('0.000'), { whole: 0, fraction: 0 })
  for (const text of ['', '.', 'e5', '1,5', '0x1']) t.equal(countDigits(text), undefined)
})
