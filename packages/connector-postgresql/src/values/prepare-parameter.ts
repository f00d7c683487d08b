import { prepareValue } from 'pg/lib/utils.js'
import type { ParameterValue } from '../client/prepared-query.ts'
import type { TimestampZone } from './timestamp-zone.ts'

/**
 * A value as the server takes it. Columns that know no zone hold the time as it is written, others heed the offset behind it. The driver
 * would write times in the zone of the process.
 */
export function prepareParameter(value: unknown, zone: TimestampZone | undefined): ParameterValue {
  return prepareValue(
    Array.isArray(value) ? value.map((item: unknown) => writeIfTime(item, zone)) : writeIfTime(value, zone)
  )
}

const writeIfTime = (value: unknown, zone: TimestampZone | undefined): unknown =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? writeTime(value, zone) : value

/** A time of the zone with its offset from UTC. */
export function writeTime(moment: Date, zone: TimestampZone | undefined): string {
  const zoned = zone?.toWritten(moment)
  // The last days that the language knows have no time in other zones.
  const written = zoned === undefined || Number.isNaN(zoned.getTime()) ? moment : zoned
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
