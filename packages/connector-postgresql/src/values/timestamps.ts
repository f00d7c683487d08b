import { type Zone, writtenIn } from '@modelwire/connector-sql'
import { prepareValue } from 'pg/lib/utils.js'

const writeIfTime = (value: unknown, zone: Zone | undefined): unknown =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? writeTime(value, zone) : value

const shortest = 'YYYY-MM-DD HH:MM:SS+00'.length

const zero = 48

const anyTimestamp = /^(\d{4,6})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-]\d\d(?::\d\d){0,2})?)?( BC)?$/

/** A parameter in the form that the server accepts. */
export type ParameterValue = string | Buffer | null

/**
 * Parses a time in PostgreSQL's ISO style, such as `2020-01-31 12:30:00.123456+01`, truncated to milliseconds; undefined
 * for any other text, such as `infinity`. A time without a zone, and a day without a time, are in `zone`, or else in UTC.
 */
export function readTimestamp(text: string, zone?: Zone): Date | undefined {
  return readCommon(text) ?? readAny(text, zone)
}

/** Years of four digits, with a zone: nearly all times, read without an expression. */
function readCommon(text: string): Date | undefined {
  if (text.length < shortest || text[4] !== '-' || text[7] !== '-' || text[10] !== ' ' || text[0] === '0')
    return undefined
  if (text[13] !== ':' || text[16] !== ':') return undefined
  const zone = readZone(text, fractionEnd(text))
  if (zone === undefined) return undefined
  const time = Date.UTC(
    digits(text, 0, 4),
    digits(text, 5, 7) - 1,
    digits(text, 8, 10),
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
    text[19] === '.' ? milliseconds(text) : 0
  )
  return Number.isNaN(time - zone) ? undefined : new Date(time - zone)
}

function readAny(text: string, ownZone: Zone | undefined): Date | undefined {
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone, before] =
    anyTimestamp.exec(text) ?? []
  if (year === undefined) return undefined
  const time = new Date(0)
  // There is no year 0 before Christ. Years below 100 are set by themselves: the language takes them for those of a century.
  time.setUTCFullYear(before === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  if (zone === undefined) return ownZone === undefined ? time : ownZone.toMoment(time)
  return new Date(time.getTime() - (readZone(zone, 0) ?? 0))
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
  const offset = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return sign === '-' ? -offset : offset
}

/**
 * A value in the form that the server accepts. Columns without a zone store the time as written, others respect the offset.
 * The driver would write times in the zone of the process.
 */
export function prepareParameter(value: unknown, zone: Zone | undefined): ParameterValue {
  return prepareValue(
    Array.isArray(value) ? value.map((item: unknown) => writeIfTime(item, zone)) : writeIfTime(value, zone)
  )
}

/** Formats a time in the zone, with its offset from UTC. */
export function writeTime(moment: Date, zone: Zone | undefined): string {
  const written = writtenIn(zone, moment)
  const year = written.getUTCFullYear()
  const rest = written
    .toISOString()
    .replace(/^[+-]?\d+/, '')
    .replace('Z', offsetText((written.getTime() - moment.getTime()) / 1000))
  // The year before the first one is 1 before Christ.
  return year > 0 ? `${String(year).padStart(4, '0')}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

/** Old offsets have seconds. */
function offsetText(seconds: number): string {
  const size = Math.abs(seconds)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])]
  return `${seconds < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
}
