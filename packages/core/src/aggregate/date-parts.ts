import type { DatePart } from '../contract/aggregate.ts'
import type { ScalarKind } from '../types/value-type.ts'

const monday = 1

/**
 * The parts of dates that records can be grouped by, all of UTC: `date` is a string such as `2026-01-31`, `yearMonth` one
 * such as `2026-01`, the others are numbers; months count from 1, weekdays from Monday, which is 1.
 */
export const dateParts: Readonly<Record<DatePart, (date: Date) => number | string>> = {
  date: (date) => date.toISOString().replace(/T.*/, ''),
  yearMonth: (date) => date.toISOString().replace(/-\d\dT.*/, ''),
  year: (date) => date.getUTCFullYear(),
  quarter: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  month: (date) => date.getUTCMonth() + 1,
  weekday: (date) => ((date.getUTCDay() + 7 - monday) % 7) + 1,
  day: (date) => date.getUTCDate(),
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds()
}

const textParts = ['date', 'yearMonth'] as const satisfies readonly DatePart[]

/** A part of a date that is a string; the others are numbers. */
export type TextPart = (typeof textParts)[number]

/** The type of the values of a part of a date. */
export const typeOfPart = (part: DatePart): ScalarKind =>
  (textParts as readonly DatePart[]).includes(part) ? 'string' : 'integer'

/** True for the name of a part of a date. */
export const isDatePart = (name: string): name is DatePart => Object.hasOwn(dateParts, name)
