import type { AggregateFunction, GroupColumn, MeasureColumn } from '../contract/aggregate.ts'
import { asList } from '../filter/as-list.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { ScalarKind } from '../types/value-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { describe } from '../values/describe.ts'
import { canGroup, canMeasure, isDecimalProperty, resultProperty } from './column-types.ts'
import { isDatePart, typeOfPart } from './date-parts.ts'
import { InvalidAggregate } from './errors.ts'

type Parts = Readonly<Record<string, unknown>>

/** Finds a property that the caller may name. @throws the error for one that it may not, or that there is not */
export type FindProperty = (name: string) => PropertyType

const aliasForm = /^[A-Za-z_]\w{0,62}$/

function checkAlias(alias: unknown): string {
  if (typeof alias === 'string' && aliasForm.test(alias) && !(alias in Object.prototype)) return alias
  throw new InvalidAggregate(`an alias must be a name of letters, digits and underscores, not ${describe(alias)}`)
}

const isAbsent = (raw: unknown): boolean => raw === undefined || raw === null || raw === '' || raw === false
const isTrue = (raw: unknown): boolean => raw === true || raw === 'true'

/** The columns of `group`: names of properties, and parts of dates such as `{ year: 'createdAt', as: 'y' }`. */
export function readGroups(raw: unknown, find: FindProperty): readonly GroupColumn[] {
  if (isAbsent(raw)) return []
  return (asList(raw) ?? [raw]).map((entry) => readGroup(entry, find))
}

function readGroup(entry: unknown, find: FindProperty): GroupColumn {
  if (typeof entry === 'string') return groupOf(find(entry), undefined, entry)
  if (!isPlainObject(entry))
    throw new InvalidAggregate(`group must contain names and parts of dates, not ${describe(entry)}`)
  const { as: alias, ...parts } = entry
  const [[part, name] = [], ...others] = Object.entries(parts)
  if (part === undefined || !isDatePart(part) || typeof name !== 'string' || others.length > 0)
    throw new InvalidAggregate(`a part of a date is written like { "year": "createdAt" }, not ${describe(entry)}`)
  return groupOf(find(name), part, alias === undefined ? `${part}_${name}` : checkAlias(alias))
}

function groupOf(property: PropertyType, part: GroupColumn['part'], name: string): GroupColumn {
  if (!canGroup(property, part))
    throw new InvalidAggregate(
      `records cannot be grouped by ${part === undefined ? '' : `the ${part} of `}${property.name}`
    )
  const type = part === undefined ? property.type : typeOfPart(part)
  const isDecimal = part === undefined && isDecimalProperty(property)
  return { value: resultProperty(name, type), isDecimal, property, part }
}

const functions: readonly AggregateFunction[] = ['count', 'sum', 'avg', 'min', 'max']

/** The columns of `count`, `sum`, `avg`, `min` and `max`: names of properties, or properties by aliases. */
export function readMeasures(raw: Parts, find: FindProperty): readonly MeasureColumn[] {
  return functions.flatMap((fn) => readFunction(fn, raw[fn], find))
}

function readFunction(fn: AggregateFunction, raw: unknown, find: FindProperty): readonly MeasureColumn[] {
  if (isAbsent(raw) || raw === 'false') return []
  if (fn === 'count' && isTrue(raw)) return [countOf('count')]
  const names = typeof raw === 'string' ? [raw] : asList(raw)
  if (names !== undefined) return names.map((name) => measureOf(fn, name, find))
  if (!isPlainObject(raw)) throw new InvalidAggregate(`${fn} must name properties, not ${describe(raw)}`)
  return Object.entries(raw).map(([alias, name]) =>
    fn === 'count' && isTrue(name) ? countOf(checkAlias(alias)) : measureOf(fn, name, find, checkAlias(alias))
  )
}

const countOf = (name: string): MeasureColumn => ({
  value: resultProperty(name, 'integer'),
  isDecimal: false,
  fn: 'count',
  property: undefined
})

/** The types of what is not of the property's own type, unless numbers are decimal. */
const plainTypes: Readonly<Partial<Record<AggregateFunction, ScalarKind>>> = { count: 'integer', avg: 'number' }

function measureOf(fn: AggregateFunction, name: unknown, find: FindProperty, alias?: string): MeasureColumn {
  if (typeof name !== 'string') throw new InvalidAggregate(`${fn} must name properties, not ${describe(name)}`)
  const property = find(name)
  if (!canMeasure(fn, property))
    throw new InvalidAggregate(`${fn} cannot be applied to ${name}, whose type is ${property.type.kind}`)
  const isDecimal = fn !== 'count' && isDecimalProperty(property)
  const plainType = plainTypes[fn] ?? property.type
  const type = isDecimal ? property.type : plainType
  return { value: resultProperty(alias ?? `${fn}_${name}`, type), isDecimal, fn, property }
}
