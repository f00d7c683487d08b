import type { AggregateFunction, DatePart } from '../contract/aggregate.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { ScalarKind } from '../types/value-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'

const exactTypes =
  /^(?:decimal|numeric|dec\b|fixed|decimal128|(?:tiny|small|medium|big)?int|int[248]|(?:small|big)?serial|serial[248])/i

/** True where a property holds exact decimal numbers as texts: a string whose mapping names such a type of a database. */
export function isDecimalProperty({ type, definition }: PropertyType): boolean {
  if (type.kind !== 'string') return false
  return Object.values(definition).some(
    (mapping) =>
      isPlainObject(mapping) && typeof mapping['dataType'] === 'string' && exactTypes.test(mapping['dataType'])
  )
}

const comparable: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'date', 'dateString'])
const plain: ReadonlySet<string> = new Set([...comparable, 'boolean'])
const isNumeric = (property: PropertyType): boolean =>
  property.type.kind === 'number' || property.type.kind === 'integer' || isDecimalProperty(property)

/** True where records can be grouped by the property, or by the part of its date. */
export const canGroup = ({ type }: PropertyType, part: DatePart | undefined): boolean =>
  part === undefined ? plain.has(type.kind) : type.kind === 'date'

const applicable: Readonly<Record<AggregateFunction, (property: PropertyType) => boolean>> = {
  count: ({ type }) => plain.has(type.kind),
  sum: isNumeric,
  avg: isNumeric,
  min: ({ type }) => comparable.has(type.kind),
  max: ({ type }) => comparable.has(type.kind)
}

/** True where the function can be applied to values of the property. */
export const canMeasure = (fn: AggregateFunction, property: PropertyType): boolean => applicable[fn](property)

/** A value of a result as a property, by its name and type. */
export function resultProperty(name: string, type: PropertyType['type'] | ScalarKind): PropertyType {
  const valueType = typeof type === 'string' ? { kind: type } : type
  return {
    name,
    type: valueType,
    id: false,
    generated: false,
    required: false,
    index: false,
    unique: false,
    definition: { type: valueType.kind }
  }
}
