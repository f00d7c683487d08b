import type { Row } from '../contract/row.ts'
import { InvalidValue } from '../errors.ts'
import { clonePlain, setOwn } from '@modelwire/server'
import { hasFiniteNumbers } from '../values/exact-number.ts'
import { compileCoercion } from '../types/coerce-value.ts'
import { Unusable, validOrNull, type Coercion } from '../values/unusable.ts'
import { stateOf, type BareModel, type ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyPlan, PropertyType } from '../types/property-type.ts'
import { withRelatedKeys } from './related-keys.ts'

/** Marks rows that come from a connector: they are complete and of the declared types. */
export const stored: unique symbol = Symbol('stored')

const primitives: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

/** A default that is not a value of the property's type; undefined where it is one. */
function defaultOfOtherType(kind: string, value: unknown): unknown {
  if (!primitives.has(typeof value) || typeof value === kind) return undefined
  if (kind === 'date') return typeof value === 'string' && value !== '$now' ? value : undefined
  return kind === 'number' || kind === 'boolean' ? value : undefined
}

const asItIs: Coercion = (raw) => raw

/** Compiles how instances of a model are filled. */
export function compilePlan(model: ModelType, properties: readonly PropertyType[]): readonly PropertyPlan[] {
  const { registry } = model
  const needs = {
    findModel: (name: string) => registry.find(name)?.properties,
    coercesLoosely: registry.rules.coercesLoosely,
    readsDatesInZone: registry.rules.readsDatesInZone,
    refusesNullItems: !registry.rules.replacesNullItems,
    refusesInfinity: !registry.rules.losesInfinity
  }
  return properties.map(({ name, type, makeDefault, nullable, definition }) => ({
    name,
    makeDefault,
    rawDefault: defaultOfOtherType(type.kind, definition.default),
    fillsNull: !nullable && !registry.rules.takesNullForDefaults,
    nullsUnusable: definition['nullWhenUnusable'] === true || registry.rules.storesNaNAsNull,
    coerce: definition['keepsType'] === true ? asItIs : compileCoercion(type, needs)
  }))
}

/** LB3: true is the key 1, and a list of one number that number; what is not a number at all is not a key. */
function numberOrNull(raw: unknown): number | null {
  const number = Number(raw)
  return Number.isFinite(number) ? number : null
}

/** LB3: whether what is not a number is stored as one, or as null. Version 2: pinned by the recording version2/coercion */
const isNulled = ({ nullsUnusable }: PropertyPlan, value: unknown): boolean =>
  nullsUnusable && value instanceof Unusable && value.code === 'number'

/** Converts one value; an unusable one is remembered for validation. */
function take(instance: ModelInstance, plan: PropertyPlan, raw: unknown): void {
  if (raw === null || raw === undefined) {
    instance[plan.name] = raw
    return
  }
  const value = plan.coerce(raw)
  if (isNulled(plan, value)) instance[plan.name] = numberOrNull(raw)
  else if (value instanceof Unusable) {
    instance[plan.name] = value.kept
    ;(stateOf(instance).unusable ??= new Map()).set(plan.name, value)
  } else instance[plan.name] = value
}

/** Fills a new instance: declared properties in their order with defaults, then undeclared ones. */
export function buildInstance(model: ModelType, instance: ModelInstance, values: Readonly<Row>): void {
  const data = withRelatedKeys(model, values)
  const absent = model.persistUndefinedAsNull ? null : undefined
  for (const plan of model.plan) {
    const raw = data[plan.name]
    if (raw === undefined)
      instance[plan.name] = plan.makeDefault?.() ?? (plan.makeDefault === undefined ? absent : null)
    else take(instance, plan, raw)
  }
  takeUndeclared(model, instance, data)
}

/** Sets the converted properties of `data`. */
export function assign(model: ModelType, instance: ModelInstance, data: Readonly<Row>): void {
  for (const plan of model.plan) {
    if (!Object.hasOwn(data, plan.name)) continue
    stateOf(instance).unusable?.delete(plan.name)
    take(instance, plan, data[plan.name])
  }
  takeUndeclared(model, instance, data)
}

function takeUndeclared(model: ModelType, instance: ModelInstance, data: Readonly<Row>): void {
  if (model.dropsUndeclared) return
  for (const key in data) {
    if (model.byName.has(key) || data[key] === undefined || model.relations.has(key)) continue
    if (model.strict) (stateOf(instance).undeclared ??= []).push(key)
    else setField(instance, checkedName(model, key), convertAsBase(model, key, data[key]))
  }
}

/**
 * LB3: an undeclared value is converted to the type that a base declares for it, such as the key of a relation that the
 * model redefines: the base's setter converts it. What cannot be converted stays unchanged.
 * @throws {InvalidValue} it has a number that is not finite
 */
export function convertAsBase(model: ModelType, key: string, raw: unknown): unknown {
  const { convertsAsBase: converts, losesInfinity } = model.registry.rules
  if (!losesInfinity && !hasFiniteNumbers(raw))
    throw new InvalidValue(`${model.name} cannot store "${key}": it has a number that is not finite`)
  if (!converts || raw === null) return raw
  for (let { base } = model; base !== undefined; base = base.base) {
    const plan = base.byName.has(key) ? base.plan.find(({ name }) => name === key) : undefined
    if (plan === undefined) continue
    const value = plan.coerce(raw)
    return isNulled(plan, value) ? numberOrNull(raw) : validOrNull(value, raw)
  }
  return raw
}

/** How names begin that classes of records keep for code. */
const forCode = /^__/

/** Sets a property of a record, unless its class keeps the name for code (`__data`): data must not reach what code reads there. */
function setField(instance: ModelInstance, key: string, value: unknown): void {
  const isKept = forCode.test(key) && key !== '__proto__' && key in instance && !Object.hasOwn(instance, key)
  if (!isKept) setOwn(instance, key, value)
}

/** @throws {InvalidValue} the name holds a dot, which filters read as a path */
function checkedName(model: ModelType, name: string): string {
  if (!name.includes('.') || model.registry.rules.allowsDottedNames) return name
  throw new InvalidValue(`${model.name} cannot store "${name}": property names must not contain a dot`)
}

/** Converts values again that hooks may have set. */
export function convertAgain(model: ModelType, instance: ModelInstance): void {
  stateOf(instance).unusable?.clear()
  for (const plan of model.plan) {
    const { [plan.name]: value } = instance
    if (Object.hasOwn(instance, plan.name) && (plan.rawDefault === undefined || value !== plan.rawDefault))
      take(instance, plan, value)
  }
}

/** Fills an instance with a copy of a stored row. */
export function copyRow(instance: ModelInstance, row: Readonly<Row>): void {
  for (const key of Object.keys(row)) setField(instance, key, clonePlain(row[key]))
}

/** The row to store for an instance: declared properties in their order, then undeclared ones. */
export function toRow(model: ModelType, instance: Readonly<Record<string, unknown>>): Row {
  const row: Row = {}
  for (const { name, coerce, rawDefault } of model.plan) {
    const value = instance[name]
    // The row belongs to the connector from now on, what an application holds stays its own.
    row[name] = rawDefault !== undefined && value === rawDefault ? validOrNull(coerce(value)) : clonePlain(value)
  }
  if (model.strict || model.dataSource?.connector.capabilities.storesUndeclared === false) return row
  for (const key of Object.keys(instance))
    if (!model.byName.has(key) && instance[key] !== undefined) setOwn(row, key, clonePlain(instance[key]))
  return row
}

/**
 * Converts a patch: declared properties are converted, undeclared ones kept unchanged.
 * @throws {InvalidValue} an undeclared name holds a dot
 * @returns the patch and what in it cannot be used
 */
export function convertPatch(
  model: ModelType,
  data: Readonly<Row>
): { patch: Row; unusable: Map<string, Unusable>; undeclared: string[] } {
  const patch: Row = {}
  const unusable = new Map<string, Unusable>()
  const undeclared: string[] = []
  const plans = new Map(model.plan.map((plan) => [plan.name, plan]))
  for (const key of Object.keys(data)) {
    const raw = data[key]
    const plan = plans.get(key)
    if (raw === undefined || (plan === undefined && (model.dropsUndeclared || model.relations.has(key)))) continue
    if (plan === undefined) undeclared.push(checkedName(model, key))
    const coerce = plan?.coerce ?? ((sent: unknown) => convertAsBase(model, key, sent))
    const value = raw === null ? null : coerce(raw)
    if (value instanceof Unusable) unusable.set(key, value)
    else setOwn(patch, key, value)
  }
  return { patch, unusable, undeclared }
}

/** Lets code store a new record under its own id, even if `forceId` keeps everyone else from choosing one. */
export function allowOwnId<Record extends BareModel>(record: Record): Record {
  stateOf(record).hasOwnId = true
  return record
}
