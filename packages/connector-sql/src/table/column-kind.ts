import type { ValueType } from '@modelwire/core/connector'

/**
 * How a column holds its values: what a dialect has to know of a property's type. `decimal`: exact numbers, which the model
 * has as texts.
 */
export type ColumnKind = 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'binary' | 'point' | 'json'

const kinds: Readonly<Partial<Record<ValueType['kind'], ColumnKind>>> = {
  string: 'text',
  text: 'text',
  dateString: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  buffer: 'binary',
  geopoint: 'point'
}

/** The kind of column for values of `type`. Lists, objects and values of any type are kept as JSON. */
export function columnKindOf(type: ValueType | undefined): ColumnKind {
  return (type && kinds[type.kind]) ?? 'json'
}
