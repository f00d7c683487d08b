import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { parseGeoPoint, earthRadius } from '../values/geo-point.ts'
import type { Operator } from './operator.ts'

/** `near` and its accompanying keys. */
export interface NearOperator {
  near?: unknown
}

/** The keys that may accompany `near`. */
export interface NearBounds {
  maxDistance?: number
  minDistance?: number
  unit?: 'kilometers' | 'meters' | 'miles' | 'feet' | 'radians' | 'degrees'
}

/** Metres in one unit. */
const units: ReadonlyMap<string, number> = new Map([
  ['meters', 1],
  ['kilometers', 1000],
  ['miles', 1609.344],
  ['feet', 0.3048],
  ['radians', earthRadius],
  ['degrees', (earthRadius * Math.PI) / 180]
])

function toMetres(name: string, raw: unknown, unit: number): number | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined
  const distance = typeof raw === 'object' ? NaN : Number(raw)
  if (!(distance >= 0)) throw new InvalidFilter(`${name} must be a distance, not ${describe(raw)}`)
  return distance * unit
}

/** LB3: a greatest distance of 0 is none, pinned by filter/geo. */
const readMaxDistance = (raw: unknown, unit: number): number | undefined =>
  toMetres('maxDistance', raw, unit) || undefined

const distance = { type: 'number', minimum: 0 }

/**
 * The point is within a distance: `{ near, maxDistance, minDistance, unit }`. Distances are in miles unless `unit` says
 * otherwise.
 * @see recording filter/geo
 */
export const near: Operator = {
  compile: (tested, operand, { written: { maxDistance, minDistance, unit = 'miles' } }) => {
    const point = parseGeoPoint(operand)
    if (point === undefined) throw new InvalidFilter(`near on ${tested.key} must be a point, not ${describe(operand)}`)
    const metres = typeof unit === 'string' ? units.get(unit) : undefined
    if (metres === undefined)
      throw new InvalidFilter(`the unit of ${tested.key} must be one of ${[...units.keys()].join(', ')}`)
    const bounds = {
      minDistance: toMetres('minDistance', minDistance, metres),
      maxDistance: readMaxDistance(maxDistance, metres)
    }
    return { kind: 'test', path: tested.path, type: tested.type, test: 'near', near: { ...point, ...bounds } }
  },
  schema: (value) => ({ ...value, description: 'the nearest first' }),
  documentedFor: 'point',
  beside: { maxDistance: distance, minDistance: distance, unit: { enum: [...units.keys()] } },
  comparesValues: false
}
