import type { Zone } from './zone.ts'

const shortest = 'YYYY-MM-DD HH:MM:SS'.length

const zero = 48

const anyTimestamp = /^(\d{4,6})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-]\d\d(?::\d\d){0,2})?)?( BC)?$/

/**
 * Parses a time as databases write it, such as `2020-01-31 12:30:00.123456+01`, truncated to milliseconds; undefined for any
 * other text, such as `infinity` or the zero date. A time without a zone, and a day without a time, are in `zone`, or else
 * in UTC.
 */
export function readTimestamp(text: string, zone?: Zone): Date | undefined {
  return readCommon(text, zone) ?? readAny(text, zone)
}

/** Years of four digits: nearly all times, read without an expression. */
function readCommon(text: string, ownZone: Zone | undefined): Date | undefined {
  if (text.length < shortest || text[4] !== '-' || text[7] !== '-' || text[10] !== ' ' || text[0] === '0')
    return undefined
  if (text[13] !== ':' || text[16] !== ':' || (text[19] === '.' && !isDigit(text, 20))) return undefined
  const end = fractionEnd(text)
  const zone = end === text.length ? 0 : readZone(text, end)
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)]
  if (zone === undefined || Number.isNaN(year) || !isDay(month, day) || !isClock(hour, minute, second)) return undefined
  const time = Date.UTC(year, month - 1, day, hour, minute, second, text[19] === '.' ? milliseconds(text) : 0)
  const read = new Date(time - zone)
  return end < text.length || ownZone === undefined ? read : ownZone.toMoment(read)
}

/** False for the zero date, which stands for none. */
const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31

const isClock = (hour: number, minute: number, second: number): boolean => hour < 24 && minute < 60 && second < 60

function readAny(text: string, ownZone: Zone | undefined): Date | undefined {
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone, before] =
    anyTimestamp.exec(text) ?? []
  if (year === undefined || !isDay(Number(month), Number(day))) return undefined
  if (!isClock(Number(hour), Number(minute), Number(second))) return undefined
  const time = new Date(0)
  // There is no year 0 before Christ. Years below 100 are set by themselves: the language takes them for those of a century.
  time.setUTCFullYear(before === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  if (zone === undefined) return ownZone === undefined ? time : ownZone.toMoment(time)
  const ahead = readZone(zone, 0)
  return ahead === undefined ? undefined : new Date(time.getTime() - ahead)
}

/** NaN where something else than digits stands there. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - zero
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN
  }
  return value
}

function fractionEnd(text: string): number {
  if (text[19] !== '.') return 19
  let at = 20
  while (isDigit(text, at)) at++
  return at
}

function isDigit(text: string, at: number): boolean {
  const digit = text.charCodeAt(at) - zero
  return digit >= 0 && digit <= 9
}

/** The first three digits behind the point; fewer are followed by zeros. */
function milliseconds(text: string): number {
  let value = 0
  for (let at = 20; at < 23; at++)
    value = value * 10 + (isDigit(text, at) && at < fractionEnd(text) ? digits(text, at, at + 1) : 0)
  return value
}

/** Milliseconds of `+HH`, `-HH:MM` or `+HH:MM:SS`. */
function readZone(text: string, at: number): number | undefined {
  const sign = text[at]
  if (sign !== '+' && sign !== '-') return undefined
  const length = text.length - at
  if (length !== 3 && length !== 6 && length !== 9) return undefined
  if ((length > 3 && text[at + 3] !== ':') || (length > 6 && text[at + 6] !== ':')) return undefined
  const hours = digits(text, at + 1, at + 3)
  const minutes = length > 3 ? digits(text, at + 4, at + 6) : 0
  const seconds = length > 6 ? digits(text, at + 7, at + 9) : 0
  if (!isClock(hours, minutes, seconds)) return undefined
  const offset = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return sign === '-' ? -offset : offset
}
