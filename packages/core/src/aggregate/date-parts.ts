import type { DatePart } from '../contract/aggregate.ts'
import type { ScalarKind } from '../types/property-type.ts'

const monday = 1

/**
 * The date parts that records can be grouped by, all in UTC: `date` is a string such as `2026-01-31`, `yearMonth` one such
 * as `2026-01`, the others are numbers; months start at 1, weekdays are 1 for Monday to 7.
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

/** A date part that is a string; the others are numbers. */
export type TextPart = (typeof textParts)[number]

/** The type of a date part's values. */
export const typeOfPart = (part: DatePart): ScalarKind =>
  (textParts as readonly DatePart[]).includes(part) ? 'string' : 'integer'

/** True for the name of a date part. */
export const isDatePart = (name: string): name is DatePart => Object.hasOwn(dateParts, name)
