import { isPlainObject } from '@modelwire/server'

/** True if all numbers in a value, which is data without cycles, are finite. */
export function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(hasFiniteNumbers)
  return !isPlainObject(value) || Object.values(value).every(hasFiniteNumbers)
}

/** A decimal number in parts that are equal if the numbers are. */
interface Decimal {
  readonly isNegative: boolean
  /** Without zeros at either end; empty for zero. */
  readonly digits: string
  /** The position of the decimal point, relative to the beginning of the digits. */
  readonly point: number
}

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i
const wholeOfBase = /^0[xob][\da-f]+$/i

/** So many digits are never rounded, as long as no exponent takes them out of the range of numbers. */
const safeDigits = 15

function readDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const zeros = whole.length + fraction.length - significant.length
  const digits = significant.replace(/0+$/, '')
  const isZero = digits === ''
  return { isNegative: sign === '-' && !isZero, digits, point: isZero ? 0 : whole.length - zeros + Number(exponent) }
}

/** The number of digits of a decimal number before and after its point; undefined if it is not a decimal number. */
export function countDigits(text: string): { readonly whole: number; readonly fraction: number } | undefined {
  const read = readDecimal(text)
  return read && { whole: Math.max(0, read.point), fraction: Math.max(0, read.digits.length - read.point) }
}

/**
 * True for a string whose number JavaScript can only represent as a different one: it has too many digits, or is too near
 * to zero. The shortest digits of a number count as that number, as usual: `0.1` is exact. False if it is not a finite
 * number.
 */
export function isRoundedNumber(text: string): boolean {
  if (text.length <= safeDigits && !/e/i.test(text)) return false
  const trimmed = text.trim()
  const number = Number(trimmed)
  if (!Number.isFinite(number)) return false
  if (wholeOfBase.test(trimmed)) return BigInt(trimmed) !== BigInt(number)
  const written = readDecimal(trimmed)
  if (written === undefined) return false
  return !isSame(written, readDecimal(String(number))) && !isWholeNumber(trimmed, number)
}

function isSame(one: Decimal, other: Decimal | undefined): boolean {
  return (
    other !== undefined &&
    one.isNegative === other.isNegative &&
    one.digits === other.digits &&
    one.point === other.point
  )
}

/** All digits of a great whole number, of which JavaScript writes the first ones alone. */
const isWholeNumber = (text: string, number: number): boolean =>
  /^[+-]?\d+$/.test(text) && BigInt(text.replace('+', '')) === BigInt(number)
