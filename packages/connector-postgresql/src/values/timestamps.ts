import { type Zone, writtenIn } from '@modelwire/connector-sql'
import { prepareValue } from 'pg/lib/utils.js'

const writeIfTime = (value: unknown, zone: Zone | undefined): unknown =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? writeTime(value, zone) : value

/** A parameter in the form that the server accepts. */
export type ParameterValue = string | Buffer | null

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
