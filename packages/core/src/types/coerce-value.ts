import { describe } from '../values/describe.ts'
import { InvalidValue } from '../errors.ts'
import type { PropertyType, ScalarKind, ValueType } from './property-type.ts'
import { setOwn } from '@modelwire/server'
import { hasFiniteNumbers } from '../values/exact-number.ts'
import { parseStructure } from '../values/check-structure.ts'
import { looseCoercions, scalarCoercions, toLocalDate } from './scalar-coercions.ts'
import { type Coercion, Unusable } from '../values/unusable.ts'

/** LB3: the names of a value in the order in which LoopBack answers them: declared ones first, as they are declared. */
const declaredFirst = (value: object, declared: ReadonlyMap<string, unknown>): readonly string[] => [
  ...[...declared.keys()].filter((name) => Object.hasOwn(value, name)),
  ...Object.keys(value).filter((name) => !declared.has(name))
]

/** Finds the properties of the model that a property's type names. */
export type FindModelProperties = (model: string) => readonly PropertyType[] | undefined

/** The context of conversions. */
export interface CoercionNeeds {
  readonly findModel: FindModelProperties
  /**
   * LB3: accepts more values, and parses strings given for `any`, and for lists, as JSON if possible: "5" is 5, "null" an
   * empty list.
   */
  readonly coercesLoosely?: boolean
  /** LB3: dates without a zone are in the zone of the process. */
  readonly readsDatesInZone?: boolean
  /** Null is not allowed among the items of a typed list, unless they are nullable. LB3: it becomes "null", 0 or false. */
  readonly refusesNullItems?: boolean
  /** Numbers of values without a type must be finite. LB3: JSON shows others as null. */
  readonly refusesInfinity?: boolean
}

/** Kinds whose values are kept as they are. */
const untyped: ReadonlySet<string> = new Set<ScalarKind>(['object', 'any', 'text'])

const keep: Coercion = (raw) => raw

/** The conversion of values that may hold any numbers. */
const finite = ({ refusesInfinity }: CoercionNeeds, coerce: Coercion): Coercion =>
  refusesInfinity === true ? (raw) => finiteOrUnusable(coerce(raw)) : coerce

const finiteOrUnusable = (value: unknown): unknown =>
  hasFiniteNumbers(value) ? value : new Unusable(value, 'number', 'has a number that is not finite')

/**
 * The conversion of a property's values, as in LoopBack, with two exceptions: values that would be stored as NaN or as the
 * string of an object are refused, and so are invalid points.
 * @throws {InvalidValue} (the conversion) a list is declared and the value is none: LoopBack answers 400 to that, not 422
 * @see recordings crud/types-string, types-number, types-boolean, types-date, types-array, types-nested, types-object
 */
export function compileCoercion(type: ValueType, needs: CoercionNeeds): Coercion {
  if (type.kind === 'array') return compileListCoercion(type, needs)
  if (type.kind === 'nested') return describedCoercion(type.properties, needs)
  if (type.kind === 'model') {
    // Looked up at the first value, when all models are known.
    let compiled: Coercion | undefined
    return (raw) => (compiled ??= modelCoercion(needs.findModel(type.model), needs))(raw)
  }
  const loose = needs.coercesLoosely === true ? looseCoercions[type.kind] : undefined
  const isLocal = type.kind === 'date' && needs.readsDatesInZone === true
  const coerce = loose ?? (isLocal ? toLocalDate : scalarCoercions[type.kind])
  return untyped.has(type.kind) ? finite(needs, coerce) : coerce
}

const isObject = (raw: unknown): raw is object => typeof raw === 'object' && raw !== null

function compileProperties(properties: readonly PropertyType[], needs: CoercionNeeds): ReadonlyMap<string, Coercion> {
  return new Map(properties.map((property) => [property.name, compileCoercion(property.type, needs)]))
}

/** A value of an undefined model is kept as it is. */
const modelCoercion = (properties: readonly PropertyType[] | undefined, needs: CoercionNeeds): Coercion =>
  properties === undefined ? finite(needs, keep) : describedCoercion(properties, needs)

/** LB3: a value whose parts a model or the property itself describes has their defaults, whenever it is written; lib/model-builder.js */
function describedCoercion(properties: readonly PropertyType[], needs: CoercionNeeds): Coercion {
  const coerce = nestedCoercion(compileProperties(properties, needs), finite(needs, keep))
  const defaults = properties.filter((property) => property.makeDefault)
  if (defaults.length === 0) return coerce
  return (raw) => coerce(isObject(raw) && !Array.isArray(raw) ? withDefaults(raw, defaults) : raw)
}

function withDefaults(raw: object, defaults: readonly PropertyType[]): object {
  const value: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(raw)) setOwn(value, name, item)
  for (const { name, makeDefault } of defaults) if (value[name] === undefined) setOwn(value, name, makeDefault?.())
  return value
}

function compileListCoercion({ items, nullableItems }: ListType, needs: CoercionNeeds): Coercion {
  const coerceItem =
    items === undefined ? undefined : compileItemCoercion(items, nullItemOf(items, nullableItems, needs), needs)
  const coerceWhole = finite(needs, keep)
  return (raw) => {
    const list = typeof raw === 'string' ? parseList(raw, needs) : raw
    if (!Array.isArray(list)) throw new InvalidValue(`expected a list, not ${describe(raw)}`)
    if (coerceItem === undefined) return coerceWhole(list)
    const converted = list.map(coerceItem)
    const bad = converted.find((item) => item instanceof Unusable)
    return bad instanceof Unusable ? new Unusable(list, bad.code, `has an item that ${bad.message}`) : converted
  }
}

type ListType = Extract<ValueType, { kind: 'array' }>

const parseList = (text: string, { coercesLoosely = false }: CoercionNeeds): unknown =>
  coercesLoosely && text.trim() === 'null' ? [] : parseStructure(text)

const nullItems: Readonly<Partial<Record<ValueType['kind'], unknown>>> = {
  string: 'null',
  number: 0,
  integer: 0,
  boolean: false
}

/** Values of an undefined model are kept, whatever they are. */
const isOfNoModel = (type: ValueType, { findModel }: CoercionNeeds): boolean =>
  type.kind === 'model' && findModel(type.model) === undefined

/** What a null among items becomes. LB3: null in a typed list becomes "null", 0 or false, pinned by crud/types-array */
function nullItemOf({ kind }: ValueType, nullable: true | undefined, { refusesNullItems }: CoercionNeeds): unknown {
  if (nullable === true) return null
  return refusesNullItems === true ? new Unusable(null, 'presence', 'is null') : (nullItems[kind] ?? null)
}

function compileItemCoercion(items: ValueType, ofNull: unknown, needs: CoercionNeeds): Coercion {
  const coerce = compileCoercion(items, needs)
  const nested = items.kind === 'array'
  const strict = items.kind === 'boolean' || items.kind === 'number' ? itemRules[items.kind] : undefined
  return (raw) => {
    if (raw === null || raw === undefined) return ofNull
    if (!nested && Array.isArray(raw) && !isOfNoModel(items, needs)) return new Unusable(raw, 'array', 'is a list')
    return strict?.(raw) ?? coerce(raw)
  }
}

// LB3: inside lists LoopBack converts without looking: "false" became true there. Refused instead of stored wrong.
const itemRules = {
  boolean: (raw: unknown) =>
    typeof raw === 'string' ? new Unusable(raw, 'boolean', 'is not true or false') : undefined,
  number: (raw: unknown) => (typeof raw === 'boolean' ? Number(raw) : undefined)
}

function nestedCoercion(properties: ReadonlyMap<string, Coercion>, coerceOther: Coercion): Coercion {
  return (raw) => {
    if (!isObject(raw) || Array.isArray(raw)) return new Unusable(raw, 'object', 'is not an object')
    const converted: Record<string, unknown> = {}
    for (const key of declaredFirst(raw, properties)) {
      const value: unknown = Reflect.get(raw, key)
      const coerce = properties.get(key) ?? coerceOther
      const item: unknown = value === null || value === undefined ? value : coerce(value)
      if (item instanceof Unusable) return new Unusable(raw, item.code, `has "${key}" that ${item.message}`)
      setOwn(converted, key, item)
    }
    return converted
  }
}
