import { isPlainObject } from '@modelwire/server'
import type { Comparison, Condition } from '../contract/condition.ts'
import { InvalidFilter } from '../errors.ts'
import { parseGeoPoint } from '../values/geo-point.ts'
import { toEqualOperand, unmatchable } from './operand.ts'
import { everything, nothing, type Operator, type TestedPath } from './operator.ts'

/** `eq` and `neq`. */
export interface EqualityOperators<V> {
  eq?: V | null
  neq?: V | null
}

const coordinate = (path: readonly string[], value: number): Comparison => ({
  kind: 'test',
  path,
  type: { kind: 'number' },
  test: 'equals',
  value
})

/**
 * The condition that a value equals an object: a point has the same coordinates. Undefined for other operands, and where
 * LoopBack's rules hold, by which an object equals nothing.
 * @throws {InvalidFilter} databases do not compare such values
 */
export function equalsObject({ path, type, key, rules }: TestedPath, operand: unknown): Condition | undefined {
  if (rules.findsNoObjects || typeof operand !== 'object' || operand === null) return undefined
  const point = type?.kind === 'geopoint' ? parseGeoPoint(operand) : undefined
  if (point !== undefined)
    return {
      kind: 'and',
      conditions: [coordinate([...path, 'lat'], point.lat), coordinate([...path, 'lng'], point.lng)]
    }
  if (type?.kind === 'geopoint') throw new InvalidFilter(`${key} must be a point such as { "lat": 55.6, "lng": 13 }`)
  if (!isPlainObject(operand)) return undefined
  const [part = 'part'] = Object.keys(operand)
  throw new InvalidFilter(
    `${key} cannot be compared with an object: test its parts by paths such as ${JSON.stringify(`${key}.${part}`)}`
  )
}

const equality = (negated: boolean, description: string): Operator => ({
  compile: (tested, operand) => {
    const same = equalsObject(tested, operand)
    if (same !== undefined) return negated ? { kind: 'nor', conditions: [same] } : same
    const value = toEqualOperand(tested, operand)
    if (value === unmatchable) return negated ? everything : nothing
    return { kind: 'test', path: tested.path, type: tested.type, test: 'equals', value, negated }
  },
  schema: (value) => ({ anyOf: [value, { type: 'null' }], description }),
  comparesValues: true
})

/** The value is equal. Null matches null and absent values. */
export const eq = equality(false, 'is equal')
/** The value differs, or is absent. */
export const neq = equality(true, 'is not equal')

/** True for a condition that only tests whether there is a value. */
export function testsPresence(written: unknown): boolean {
  if (written === null) return true
  if (!isPlainObject(written)) return false
  return Object.entries(written).every(([name, operand]) => (name === 'eq' || name === 'neq') && operand === null)
}
