const isoDay = /^[+-]?\d{4,6}(?:-\d\d){0,2}$/
/** A name of a zone, or an offset behind a time. */
const zone = /(?<![a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z])|:\d\d(?:[.,]\d+)?\s*[+-]\d/i

/**
 * The moment that a string names; an invalid date if it is not one. Without a zone it is in UTC, wherever the process
 * runs.
 * @param local LB3: without a zone it is in the zone of the process (the rule `readsDatesInZone`)
 */
export function readDate(text: string, local = false): Date {
  if (local || isoDay.test(text) || zone.test(text)) return new Date(text)
  return new Date(/\dT\d/i.test(text) ? `${text}Z` : `${text} UTC`)
}
