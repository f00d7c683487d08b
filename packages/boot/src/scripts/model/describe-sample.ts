import { GeoPoint } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'

const classes: readonly (readonly [made: (value: unknown) => boolean, type: string])[] = [
  [(value) => value instanceof Date, 'date'],
  [(value) => Buffer.isBuffer(value), 'buffer'],
  [(value) => value instanceof GeoPoint, 'geopoint']
]

/**
 * The properties of a model whose records look like `sample`.
 * @see LoopBack 3: loopback-datasource-juggler, lib/introspection.js
 */
export function describeSample(sample: unknown): Record<string, unknown> {
  if (!isPlainObject(sample)) return {}
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, { type: typeOfSample(value) }]))
}

function typeOfSample(value: unknown): unknown {
  if (value === null || value === undefined) return 'any'
  const named = classes.find(([isOne]) => isOne(value))
  if (named !== undefined) return named[1]
  if (Array.isArray(value)) return typeOfList(value)
  if (typeof value !== 'object') return typeof value
  const nested = Object.entries(value).map(([name, item]) => [name, typeOfSample(item)] as const)
  return nested.length === 0 ? 'object' : Object.fromEntries(nested)
}

function typeOfList(list: readonly unknown[]): unknown {
  const first = list.find((item) => item !== null && item !== undefined)
  return first === undefined ? 'array' : [typeOfSample(first)]
}
