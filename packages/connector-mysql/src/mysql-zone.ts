import { readTimestamp, writtenIn, zoneOf } from '@modelwire/connector-sql'
import { ValueRefused } from '@modelwire/core/connector'

/** Converts times for columns without a time zone, and back. */
export interface TimeZone {
  /** @throws {ValueRefused} the column has no such year */
  readonly write: (time: Date) => string
  /** Writes the operand of a comparison: a time out of range is before or after every stored time. */
  readonly writeOperand: (time: Date) => string
  /** Reads a time; undefined for other strings, such as the zero date. */
  readonly read: (text: string) => Date | undefined
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
    read: (text) => readTimestamp(text, zone),
    offset: zone === undefined ? 0 : zone.offset,
    session: setting === 'local' ? undefined : offsetText(setting)
  }
}

const offsetText = (setting: string): string => (setting === 'Z' ? '+00:00' : setting)

const textOf = (written: Date): string => written.toISOString().replace('T', ' ').replace('Z', '')
