import { prepareValue } from 'pg/lib/utils.js'
import type { ParameterValue } from './prepared-query.ts'

/** A value as the server takes it. The driver would write times in the zone of the process, whose old offsets have seconds. */
export function prepareParameter(value: unknown): ParameterValue {
  return prepareValue(Array.isArray(value) ? value.map(writeTime) : writeTime(value))
}

function writeTime(value: unknown): unknown {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return value
  const year = value.getUTCFullYear()
  const rest = value
    .toISOString()
    .replace(/^[+-]?\d+/, '')
    .replace('Z', '+00:00')
  // The year before the first one is 1 before Christ.
  return year > 0 ? `${String(year).padStart(4, '0')}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}
