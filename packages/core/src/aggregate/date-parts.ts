import type { DatePart } from '../contract/aggregate.ts'

const monday = 1

/**
 * The parts of dates that records can be grouped by, all of UTC: `date` is a text such as `2026-01-31`, the others are
 * numbers; months count from 1, weekdays from Monday, which is 1.
 */
export const dateParts: Readonly<Record<DatePart, (date: Date) => number | string>> = {
  date: (date) => date.toISOString().replace(/T.*/, ''),
  year: (date) => date.getUTCFullYear(),
  quarter: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  month: (date) => date.getUTCMonth() + 1,
  weekday: (date) => ((date.getUTCDay() + 7 - monday) % 7) + 1,
  day: (date) => date.getUTCDate(),
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds()
}

/** True for the name of a part of a date. */
export const isDatePart = (name: string): name is DatePart => Object.hasOwn(dateParts, name)
