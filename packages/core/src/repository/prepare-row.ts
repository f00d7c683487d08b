import type { Row } from '../contract/row.ts'
import type { Condition } from '../contract/condition.ts'
import { hasScope } from '../filter/default-scope.ts'
import type { PropertyPlan } from '../types/property-plan.ts'
import { keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import { withRelatedKeys } from '../model/related-keys.ts'
import type { Rule, RuleContext } from '../rules/rule.ts'
import { readsValueAlone } from '../rules/rules.ts'
import { isValidated, lacksOwnId } from '../validation/validate-instance.ts'
import { clonePlain, isPlainObject, setOwn } from '../values/clone-plain.ts'
import { Unusable } from '../values/unusable.ts'
import { Records } from './records.ts'
import { isFree, type Write } from './write-within.ts'

// Prepares a row without an instance in between, where neither the caller nor a hook needs one and the data is valid.
// Otherwise returns undefined: an instance is prepared, which handles all exceptions and errors. Over HTTP an instance
// costs a create a third more, and a patch half.

/** Marks what needs an instance. */
const needsInstance: unique symbol = Symbol('needs an instance')

/**
 * True where nothing else decides what is written: no hook, no scope, no restriction, no validation that is switched
 * off.
 */
export const writesRows = (model: ModelType, write: Write): boolean =>
  isFree(model, write) && model.hooks.isEmpty && !hasScope(model) && isValidated(model, write.call.options)

/** Shows the stored row of one record. */
export const showRow =
  (model: ModelType) =>
  (row: Row): Records =>
    new Records(model, { rows: [row] }, true)

/** A value in its declared type. */
function convert({ coerce, rawDefault }: PropertyPlan, raw: unknown): unknown {
  if (raw === null) return null
  const value = rawDefault === undefined ? coerce(raw) : needsInstance
  if (value instanceof Unusable) return needsInstance
  // What the coercion left as it was belongs to the caller.
  return typeof value === 'object' && value === raw ? clonePlain(value) : value
}

function defaultOf(model: ModelType, { makeDefault, rawDefault }: PropertyPlan): unknown {
  if (rawDefault !== undefined) return needsInstance
  if (makeDefault === undefined) return model.persistUndefinedAsNull ? null : undefined
  return clonePlain(makeDefault()) ?? null
}

/** Copies what is not declared; false where such names may not be stored. */
function takeUndeclared(model: ModelType, row: Row, data: Readonly<Row>): boolean {
  for (const key in data) {
    if (model.byName.has(key) || data[key] === undefined || model.relations.has(key)) continue
    if (model.strict || key.includes('.')) return false
    if (model.dataSource?.connector.capabilities.storesUndeclared === true) setOwn(row, key, clonePlain(data[key]))
  }
  return true
}

const refuseUniquenessCheck: RuleContext['isTaken'] = () =>
  Promise.reject(new TypeError('this rule reads other records'))

/** True when all rules look at one value each and have nothing against this row. */
export function satisfiesRules(model: ModelType, row: Row, options: Record<string, unknown>): boolean {
  const context: RuleContext = { record: row, options, isTaken: refuseUniquenessCheck }
  for (const rule of model.rules) {
    if (!readsValueAlone(rule)) return false
    const problems = rule.check(context)
    if (problems instanceof Promise || problems.length > 0) return false
  }
  return true
}

/** True when a new record has a fault in its id, or clients may not choose it. */
function hasWrongId(model: ModelType, row: Row): boolean {
  const { idProperty, forceId } = model
  if (idProperty === undefined) return false
  const value = row[idProperty.name]
  return (forceId && value !== undefined && value !== null) || lacksOwnId(model, idProperty, row)
}

/** The row of a new record, converted, completed and validated; undefined where an instance is needed. */
export function prepareRow(model: ModelType, given: unknown, write: Write): Row | undefined {
  if (!isPlainObject(given) || !writesRows(model, write)) return undefined
  const data = withRelatedKeys(model, given)
  const row: Row = {}
  for (const plan of model.plan) {
    const raw = data[plan.name]
    const value = raw === undefined ? defaultOf(model, plan) : convert(plan, raw)
    if (value === needsInstance) return undefined
    setOwn(row, plan.name, value)
  }
  const isUsable = takeUndeclared(model, row, data) && !hasWrongId(model, row)
  return isUsable && satisfiesRules(model, row, write.call.options) ? row : undefined
}

/** What a patch stores, converted; undefined where an instance is needed. The id in `data` is left out. */
export function prepareRowPatch(model: ModelType, data: Readonly<Row>): Row | undefined {
  const patch: Row = {}
  for (const plan of model.plan) {
    const raw = Object.hasOwn(data, plan.name) ? data[plan.name] : undefined
    if (raw === undefined || plan.name === model.idProperty?.name) continue
    const value = convert(plan, raw)
    if (value === needsInstance) return undefined
    setOwn(patch, plan.name, value)
  }
  return takeUndeclared(model, patch, data) ? patch : undefined
}

/**
 * A patch of a record that was not read, and what has to hold of the record so that it satisfies its rules afterwards.
 */
export interface UnseenPatch {
  readonly patch: Row
  readonly conditions: readonly Condition[]
}

/** The kinds of types whose values are blank only where they are null; of texts the empty one is blank, too. */
const scalarKinds: ReadonlySet<string> = new Set([
  'string',
  'text',
  'dateString',
  'number',
  'integer',
  'boolean',
  'date'
])
const textKinds: ReadonlySet<string> = new Set(['string', 'text', 'dateString'])

const requiredConditions = keepPerModel<readonly Condition[] | undefined>()

/** What a database has to check for a rule of a property that a patch leaves as it is; undefined where it cannot. */
function conditionsOf(model: ModelType, rule: Rule): readonly Condition[] | undefined {
  return requiredConditions(rule, model, () => writeConditions(model, rule))
}

function writeConditions(model: ModelType, { property, kind, options }: Rule): readonly Condition[] | undefined {
  if (property === model.idProperty?.name) return []
  const type = model.byName.get(property)?.type
  const isSchema = options['asSchema'] === true
  if (kind !== 'presence' || type === undefined || !(isSchema || scalarKinds.has(type.kind))) return undefined
  const test = { kind: 'test', path: [property], type, test: 'equals', negated: true } as const
  // Frozen, as all that is shared: connectors keep what they make of it.
  const isThere = Object.freeze({ ...test, value: null })
  return isSchema || !textKinds.has(type.kind) ? [isThere] : [isThere, Object.freeze({ ...test, value: '' })]
}

/** The patch of a record that need not be read for it; undefined where it has to be, or where anything is wrong. */
export function unseenPatch(
  model: ModelType,
  data: Readonly<Row>,
  options: Record<string, unknown>
): UnseenPatch | undefined {
  const patch = prepareRowPatch(model, data)
  if (patch === undefined || Object.keys(patch).length === 0) return undefined
  const conditions: Condition[] = []
  for (const rule of model.rules) {
    if (!readsValueAlone(rule)) return undefined
    const isChanged = Object.hasOwn(patch, rule.property)
    const needed = isChanged ? conditionsOfChanged(rule, patch, options) : conditionsOf(model, rule)
    if (needed === undefined) return undefined
    conditions.push(...needed)
  }
  return { patch, conditions }
}

function conditionsOfChanged(rule: Rule, patch: Row, options: Record<string, unknown>): readonly [] | undefined {
  const problems = rule.check({ record: patch, options, isTaken: refuseUniquenessCheck })
  return problems instanceof Promise || problems.length > 0 ? undefined : []
}
