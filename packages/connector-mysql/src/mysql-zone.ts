import { ValueRefused } from '@modelwire/core/connector'

/** How times are written into columns that know no zone, and read from them. */
export interface TimeZone {
  /** @throws {ValueRefused} the column has no such year */
  readonly write: (time: Date) => string
  /** Writes the operand of a comparison: a time beyond all years is before or after every stored time. */
  readonly writeOperand: (time: Date) => string
  /** An invalid date for a text that is not a time, such as the zero date. */
  readonly read: (text: string) => Date
  /** The time zone of the session, so that columns with a zone have the same times; undefined for the default. */
  readonly session: string | undefined
}

/** The zone that the setting `timezone` names: `Z`, an offset such as `+02:00`, or `local` for that of the process. */
export function timeZone(setting: string): TimeZone {
  const [toParts, fromParts] = setting === 'local' ? local : shifted(offsetOf(setting))
  const write = (time: Date): string => writeParts(toParts(time))
  return {
    write: (time) => {
      const { year } = toParts(time)
      if (year >= 1 && year <= lastYear) return write(time)
      throw new ValueRefused(`the database holds no time of the year ${year}`)
    },
    writeOperand: (time) => {
      const { year } = toParts(time)
      if (year < 1) return '0000-01-01 00:00:00.000'
      // Columns hold milliseconds: nothing equals this time, and nothing is later.
      return year > lastYear ? '9999-12-31 23:59:59.999999' : write(time)
    },
    read: (text) => {
      const parts = readParts(text)
      return parts === undefined ? new Date(NaN) : fromParts(parts)
    },
    session: setting === 'local' ? undefined : offsetText(setting)
  }
}

const lastYear = 9999

interface Parts {
  readonly year: number
  /** From 0. */
  readonly month: number
  readonly rest: readonly [day: number, hour: number, minute: number, second: number, millisecond: number]
}

type Conversions = readonly [(time: Date) => Parts, (parts: Parts) => Date]

const local: Conversions = [
  (time) => ({
    year: time.getFullYear(),
    month: time.getMonth(),
    rest: [time.getDate(), time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds()]
  }),
  ({ year, month, rest: [day, hour, minute, second, millisecond] }) => {
    // The language takes years below 100 for those of the last century, unless they are set by themselves.
    const time = new Date(2000, 0, 1)
    time.setFullYear(year, month, day)
    time.setHours(hour, minute, second, millisecond)
    return time
  }
]

/** @param offset milliseconds that the zone is ahead of UTC */
function shifted(offset: number): Conversions {
  return [
    (time) => {
      const moved = new Date(time.getTime() + offset)
      const [hour, minute] = [moved.getUTCHours(), moved.getUTCMinutes()]
      return {
        year: moved.getUTCFullYear(),
        month: moved.getUTCMonth(),
        rest: [moved.getUTCDate(), hour, minute, moved.getUTCSeconds(), moved.getUTCMilliseconds()]
      }
    },
    ({ year, month, rest: [day, hour, minute, second, millisecond] }) => {
      const time = new Date(0)
      time.setUTCFullYear(year, month, day)
      time.setUTCHours(hour, minute, second, millisecond)
      return new Date(time.getTime() - offset)
    }
  ]
}

const minute = 60_000

function offsetOf(setting: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(setting) ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minute
  return sign === '-' ? -size : size
}

const offsetText = (setting: string): string => (setting === 'Z' ? '+00:00' : setting)

function writeParts({ year, month, rest: [day, hour, minutes, second, millisecond] }: Parts): string {
  const date = [pad(year, 4), pad(month + 1), pad(day)].join('-')
  return `${date} ${[hour, minutes, second].map((part) => pad(part)).join(':')}.${pad(millisecond, 3)}`
}

const pad = (part: number, length = 2): string => String(part).padStart(length, '0')

const written = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?$/

function readParts(text: string): Parts | undefined {
  const [, year, month, day, hour = 0, minutes = 0, second = 0, fraction = ''] = written.exec(text) ?? []
  if (year === undefined || Number(month) === 0 || Number(day) === 0) return undefined
  const millisecond = Number(fraction.padEnd(3, '0').slice(0, 3))
  return {
    year: Number(year),
    month: Number(month) - 1,
    rest: [Number(day), Number(hour), Number(minutes), Number(second), millisecond]
  }
}
