import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { parseGeoPoint } from '../values/geo-point.ts'
import type { TestedPath } from './compile-where.ts'
import type { Condition } from '../contract/condition.ts'
import { earthRadius } from '../values/distance.ts'

/** Metres in one unit. */
const units: ReadonlyMap<string, number> = new Map([
  ['meters', 1],
  ['kilometers', 1000],
  ['miles', 1609.344],
  ['feet', 0.3048],
  ['radians', earthRadius],
  ['degrees', (earthRadius * Math.PI) / 180]
])

/** Keys that may stand beside `near`. */
export const nearKeys: ReadonlySet<string> = new Set(['near', 'maxDistance', 'minDistance', 'unit'])

function toMetres(name: string, raw: unknown, unit: number): number | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined
  const distance = typeof raw === 'object' ? NaN : Number(raw)
  if (!(distance >= 0)) throw new InvalidFilter(`${name} must be a distance, not ${describe(raw)}`)
  return distance * unit
}

/** LB3: a greatest distance of 0 is none, pinned by filter/geo. */
const readMaxDistance = (raw: unknown, unit: number): number | undefined =>
  toMetres('maxDistance', raw, unit) || undefined

/**
 * Compiles `{ near, maxDistance, minDistance, unit }`. Distances are in miles unless `unit` says otherwise.
 * @throws {InvalidFilter} the point, a distance or the unit is none
 * @see recording filter/geo
 */
export function compileNear(tested: TestedPath, value: unknown): Condition {
  // The caller found `near` in it, so it is an object of operators.
  const { near, maxDistance, minDistance, unit = 'miles' } = value as Record<string, unknown>
  const point = parseGeoPoint(near)
  if (point === undefined) throw new InvalidFilter(`near of ${tested.key} needs a point, not ${describe(near)}`)
  const metres = typeof unit === 'string' ? units.get(unit) : undefined
  if (metres === undefined)
    throw new InvalidFilter(`the unit of ${tested.key} must be one of ${[...units.keys()].join(', ')}`)
  const bounds = {
    minDistance: toMetres('minDistance', minDistance, metres),
    maxDistance: readMaxDistance(maxDistance, metres)
  }
  return { kind: 'test', path: tested.path, type: tested.type, operator: 'near', value: { ...point, ...bounds } }
}
