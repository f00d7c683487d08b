// A lone surrogate is written as an escape, too.
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** The JSON text of a string. */
export const writeString = (text: string): string => (needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`)

/** Fifteen digits or fewer mean one double, whose shortest digits they are; smaller fractions would have an exponent. */
const plainNumber = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d{0,5}[1-9])$/
const mostDigits = 15

/** The JSON text of a number in digits; undefined where JavaScript would write other ones, or an exponent. */
export const writeDigits = (text: string): string | undefined =>
  text.length <= mostDigits && plainNumber.test(text) ? text : undefined

const plainTime = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) \d\d:\d\d:\d\d(?:\.\d{1,6})?$/

/** Where the fraction of a time begins. */
const fractionAt = 'YYYY-MM-DD HH:MM:SS'.length

/**
 * The JSON text of a time of UTC, such as `2020-01-31 12:30:00.123456`, cut to milliseconds; undefined for one that has to be
 * read: of other years, or of a day that its month might not have.
 */
export function writeTime(text: string): string | undefined {
  if (!plainTime.test(text)) return undefined
  const fraction = text.length === fractionAt ? '000' : text.slice(fractionAt + 1, fractionAt + 4).padEnd(3, '0')
  return `"${text.slice(0, 10)}T${text.slice(11, fractionAt)}.${fraction}Z"`
}
