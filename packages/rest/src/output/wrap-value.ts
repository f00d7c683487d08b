/** A date or a buffer as LoopBack writes it when it is a return value by itself. */
export interface WrappedValue {
  readonly $type: 'date' | 'base64'
  readonly $data: string
}

/**
 * `value`, a return value or one of several, as JSON answers have it: dates and buffers are wrapped, everything else is
 * left alone. What lies inside objects and lists is never wrapped, and neither is anything in XML.
 * @see recording remoting/returns
 */
export function wrapValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return wrapDate(value)
  if (Buffer.isBuffer(value)) return { $type: 'base64', $data: value.toString('base64') } satisfies WrappedValue
  return value
}

function wrapDate(date: Date): WrappedValue | null {
  return Number.isNaN(date.getTime()) ? null : { $type: 'date', $data: date.toISOString() }
}
