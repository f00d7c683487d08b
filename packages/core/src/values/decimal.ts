/** An exact decimal number: `units` divided by 10 to the power of `scale`. */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i

/** Zero without decimals. */
export const exactZero: Exact = { units: 0n, scale: 0 }

const power = (places: number): bigint => 10n ** BigInt(places)

/** Parses a decimal number, keeping its decimals; undefined if the string is not a decimal number. */
export function readExact(text: string): Exact | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const units = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * power(-scale), scale: 0 } : { units, scale }
}

/** The units at a scale that is not smaller than the number's own. */
const unitsAt = ({ units, scale }: Exact, places: number): bigint => units * power(places - scale)

/** The sum, with the greater number of decimals of both. */
export function addExact(first: Exact, second: Exact): Exact {
  const scale = Math.max(first.scale, second.scale)
  return { units: unitsAt(first, scale) + unitsAt(second, scale), scale }
}

/** Negative, 0 or positive if the first is less than, equal to or greater than the second. */
export function compareExact(first: Exact, second: Exact): number {
  const scale = Math.max(first.scale, second.scale)
  const [left, right] = [unitsAt(first, scale), unitsAt(second, scale)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** The quotient by an integer from 1, rounded to `places` decimals, halves away from zero. */
export function divideExact(dividend: Exact, divisor: number, places: number): Exact {
  const scale = Math.max(dividend.scale, places)
  const [units, by] = [unitsAt(dividend, scale), BigInt(divisor) * power(scale - places)]
  const half = units < 0n ? -by : by
  return { units: (2n * units + half) / (2n * by), scale: places }
}

/** The number as a string with all of its decimals, without an exponent. */
export function writeExact({ units, scale }: Exact): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A decimal number as a string without an exponent; any other string as is. */
export function plainDecimal(text: string): string {
  const exact = readExact(text)
  return exact === undefined ? text : writeExact(exact)
}

/** A decimal number as a string without trailing zeros; any other string as is. */
export function shortDecimal(text: string): string {
  const plain = plainDecimal(text)
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
}

/** A decimal number with at most `places` decimals, without trailing zeros; any other string as is. */
export function roundDecimal(text: string, places: number): string {
  const exact = readExact(text)
  return exact === undefined ? text : shortDecimal(writeExact(divideExact(exact, 1, places)))
}
