import { writtenIn, zoneOf } from '@modelwire/connector-sql'
import { ValueRefused } from '@modelwire/core/connector'

/** Converts times for columns without a time zone, and back. */
export interface TimeZone {
  /** @throws {ValueRefused} the column has no such year */
  readonly write: (time: Date) => string
  /** Writes the operand of a comparison: a time out of range is before or after every stored time. */
  readonly writeOperand: (time: Date) => string
  /** Reads a time; an invalid date for other strings, such as the zero date. */
  readonly read: (text: string) => Date
  /** Milliseconds that the zone is ahead of UTC; undefined if that varies. */
  readonly offset: number | undefined
  /** The time zone of the session, so that columns with a zone get the same times; undefined for the default. */
  readonly session: string | undefined
}

const lastYear = 9999

/** The zone of the setting `timezone`: `Z`, an offset such as `+02:00`, or `local` for that of the process. */
export function timeZone(setting: string): TimeZone {
  const zone = zoneOf(setting)
  return {
    write: (time) => {
      const written = writtenIn(zone, time)
      const year = written.getUTCFullYear()
      if (year >= 1 && year <= lastYear) return textOf(written)
      throw new ValueRefused(`the database cannot store dates of the year ${year}`)
    },
    writeOperand: (time) => {
      const written = writtenIn(zone, time)
      const year = written.getUTCFullYear()
      if (year < 1) return '0000-01-01 00:00:00.000'
      // Columns hold milliseconds: nothing equals this time, and nothing is later.
      return year > lastYear ? '9999-12-31 23:59:59.999999' : textOf(written)
    },
    read: (text) => {
      const time = readTime(text)
      return zone === undefined ? time : zone.toMoment(time)
    },
    offset: zone === undefined ? 0 : zone.offset,
    session: setting === 'local' ? undefined : offsetText(setting)
  }
}

const offsetText = (setting: string): string => (setting === 'Z' ? '+00:00' : setting)

const textOf = (written: Date): string => written.toISOString().replace('T', ' ').replace('Z', '')

const anyTime = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?$/

/** The time as one of UTC. */
function readTime(text: string): Date {
  if (!anyTime.test(text)) return new Date(NaN)
  // In the form of ISO 8601, of which the language reads every year as it is written.
  return new Date(text.length > day ? `${text.slice(0, day)}T${text.slice(day + 1)}Z` : text)
}

const day = 'YYYY-MM-DD'.length
