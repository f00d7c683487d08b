import { InvalidFilter } from '../errors.ts'
import type { ValueType } from '../types/property-type.ts'
import type { TestedPath } from './operator.ts'

const others = new Set<ValueType['kind'] | undefined>(['number', 'integer', 'boolean', 'date', 'geopoint', 'buffer'])

/**
 * Throws if a property does not hold strings, for operators that only read strings.
 * @throws {InvalidFilter} the property is declared to hold something else
 */
export function assertHoldsText(operator: string, { key, type }: TestedPath): void {
  const kind = type?.kind === 'array' ? type.items?.kind : type?.kind
  if (others.has(kind)) throw new InvalidFilter(`${operator} cannot be used on ${key}, which is not a string`)
}
