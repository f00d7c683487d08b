import type { Call } from '../../contract/call.ts'
import type { ModelInstance } from '../../contract/model-instance.ts'
import type { Id, Row } from '../../contract/row.ts'
import type { Condition } from '../../contract/condition.ts'
import { hasScope } from '../../filter/default-scope.ts'
import { plainKinds, type PropertyPlan } from '../../types/property-type.ts'
import { convertAsBase } from '../../model/build-instance.ts'
import { keepPerModel } from '../../model/model-lineage.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { withRelatedKeys } from '../../model/related-keys.ts'
import type { Rule, RuleContext } from '../../rules/rule.ts'
import { readsValueAlone } from '../../rules/rules.ts'
import { isValidated, lacksOwnId } from '../../validation/validate-instance.ts'
import { clonePlain, isPlainObject, setOwn } from '@modelwire/server'
import { Unusable } from '../../values/unusable.ts'
import { createBy, insertRow, toData } from './create.ts'
import { findById } from '../read/find.ts'
import { collectionOf, idOf, onlyId, toId } from '../records/identify.ts'
import { checkSameId, keepsId, patchInstanceBy } from './patch.ts'
import { completeRow, Records } from '../records/records.ts'
import { isFree, readingToWrite, type Write, writeBy, writeOneBy } from '../records/rights.ts'
import { finish } from './write.ts'

// Writes for an answer that need no instance, where neither the caller nor a hook does and the data is valid: a row goes straight to
// the database. Otherwise, and for all errors, an instance is written. Over HTTP an instance costs a create 29 % more CPU and a
// patch 35 % (both with records in memory, where the database costs least); a patch is one statement in place of two where the connector has `patch`.

/** Marks what needs an instance. */
const needsInstance: unique symbol = Symbol('needs an instance')

/**
 * True where nothing else decides what is written: no hook, no scope, no restriction, no validation that is switched
 * off.
 */
const writesRows = (model: ModelType, write: Write): boolean =>
  isFree(model, write) && model.hooks.isEmpty && !hasScope(model) && isValidated(model, write.call.options)

/** Announces a row that is stored now; returns what the caller may see of it. */
const finishRow = (
  model: ModelType,
  row: Row,
  { id, isNew, sent }: { id: unknown; isNew: boolean; sent: Row },
  write: Write
) => finish(model, { row, id, isNew, sent, show: (shown) => new Records(model, { rows: [shown] }, true) }, write)

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
    if (model.dataSource?.connector.capabilities.storesUndeclared === true)
      setOwn(row, key, clonePlain(convertAsBase(model, key, data[key])))
  }
  return true
}

const refuseUniquenessCheck: RuleContext['isTaken'] = () =>
  Promise.reject(new TypeError('this rule reads other records'))

/** True when all rules look at one value each and have nothing against this row. @param written of it; absent: all */
function satisfiesRules(model: ModelType, row: Row, options: Record<string, unknown>, written?: Row): boolean {
  const context: RuleContext = { record: row, options, written, isTaken: refuseUniquenessCheck }
  for (const rule of model.rules) {
    if (!readsValueAlone(rule)) return false
    const problems = rule.check(context)
    if (problems instanceof Promise || problems.length > 0) return false
  }
  return true
}

/** True when a new record has a fault in its id, or clients may not choose it. */
function hasWrongId(model: ModelType, row: Row): boolean {
  const { key, forceId } = model
  return key.some((property) => {
    const value = row[property.name]
    return (forceId && value !== undefined && value !== null) || lacksOwnId(model, property, row)
  })
}

/** The row of a new record, converted, completed and validated; undefined where an instance is needed. */
function prepareRow(model: ModelType, given: unknown, write: Write): Row | undefined {
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
function prepareRowPatch(model: ModelType, data: Readonly<Row>): Row | undefined {
  const patch: Row = {}
  const names = model.keyNames
  for (const plan of model.plan) {
    const raw = Object.hasOwn(data, plan.name) ? data[plan.name] : undefined
    if (raw === undefined || names.includes(plan.name)) continue
    const value = convert(plan, raw)
    if (value === needsInstance) return undefined
    setOwn(patch, plan.name, value)
  }
  return takeUndeclared(model, patch, data) ? patch : undefined
}

/** A patch of a record that was not read, and the condition under which the record satisfies its rules afterwards. */
interface UnseenPatch {
  readonly patch: Row
  readonly conditions: readonly Condition[]
}

/** Texts are blank where they are empty, too; other plain values only where they are null. */
const textKinds: ReadonlySet<string> = new Set(['string', 'text', 'dateString'])

const requiredConditions = keepPerModel<readonly Condition[] | undefined>()

/** What a database has to check for a rule of a property that a patch leaves as it is; undefined where it cannot. */
function conditionsOf(model: ModelType, rule: Rule): readonly Condition[] | undefined {
  return requiredConditions(rule, model, () => writeConditions(model, rule))
}

function writeConditions(model: ModelType, { property, kind, options }: Rule): readonly Condition[] | undefined {
  if (model.keyNames.includes(property) || options['onlyIfWritten'] === true) return []
  const type = model.byName.get(property)?.type
  const isSchema = options['asSchema'] === true
  if (kind !== 'presence' || type === undefined || !(isSchema || plainKinds.has(type.kind))) return undefined
  const test = { kind: 'test', path: [property], type, test: 'equals', negated: true } as const
  // Frozen, as all that is shared: connectors keep what they make of it.
  const isThere = Object.freeze({ ...test, value: null })
  return isSchema || !textKinds.has(type.kind) ? [isThere] : [isThere, Object.freeze({ ...test, value: '' })]
}

/** The patch of a record that need not be read for it; undefined where it has to be, or where anything is wrong. */
function unseenPatch(model: ModelType, data: Readonly<Row>, options: Record<string, unknown>): UnseenPatch | undefined {
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

/**
 * Stores a new record for a response: returns the stored row if no instance is needed.
 * @throws {ValidationError} it breaks a rule
 * @throws {DuplicateKey} its id or a unique value exists already
 */
export async function createForResponse(model: ModelType, data: unknown, call: Call): Promise<Records | ModelInstance> {
  const write = await writeBy(model, call, 'create')
  const prepared = prepareRow(model, data, write)
  if (prepared === undefined) return createBy(model, data, write)
  const row = await insertRow(model, prepared)
  return finishRow(model, row, { id: idOf(model, row), isNew: true, sent: toData(model, data) }, write)
}

type Patched = Promise<Records | ModelInstance | undefined>

/** A patch of the record with this id. */
interface PatchOf {
  readonly id: Id
  readonly data: Row
  readonly write: Write
}

/**
 * Changes some properties of the record with this id for a response: returns the changed row if no instance is needed.
 * Undefined if it does not exist.
 * @throws {ValidationError} the record would break a rule
 * @throws {IdMismatch} `data` has another id
 */
export async function patchForResponse(model: ModelType, id: unknown, data: unknown, call: Call): Patched {
  const key = toId(model, id)
  if (key === undefined) return undefined
  const write = await writeOneBy(model, call, 'patchAttributes')
  if (!writesRows(model, write) || !isPlainObject(data)) return patchFound(model, key, data, write)
  const work = { id: key, data, write }
  return (await patchUnseen(model, work)) ?? patchSeen(model, work)
}

const finishPatch = async (model: ModelType, row: Row, { id, data, write }: PatchOf): Promise<Records> =>
  finishRow(model, row, { id, isNew: false, sent: data }, write)

/** By one statement, for a connector that has it; undefined where the record has to be read first, which also shows what is wrong. */
async function patchUnseen(model: ModelType, work: PatchOf): Promise<Records | undefined> {
  const { id, data, write } = work
  const { collection, dataSource } = model
  if (dataSource?.connector.capabilities.operations.has('patch') !== true || !keepsId(model, data, id)) return undefined
  const unseen = unseenPatch(model, data, write.call.options)
  if (unseen === undefined) return undefined
  const { patch, conditions } = unseen
  const where = { kind: 'and', conditions: [onlyId(model, id), ...conditions] } as const
  const stored = await collection?.patch?.(where, patch)
  if (stored === undefined) return undefined
  const { showsSent } = model.registry.rules
  const row = completeRow(model, stored)
  return finishPatch(model, showsSent ? { ...row, ...patch } : row, work)
}

/** By the stored row, which must satisfy the rules with the patch. */
async function patchSeen(model: ModelType, work: PatchOf): Patched {
  const { id, data, write } = work
  const stored = await collectionOf(model, 'findById').findById(id)
  if (stored === undefined) return undefined
  const patch = prepareRowPatch(model, data)
  const row = { ...completeRow(model, stored), ...patch }
  if (patch === undefined || !satisfiesRules(model, row, write.call.options, patch))
    return patchFound(model, id, data, write)
  checkSameId(model, data, id)
  const count = await collectionOf(model, 'update').update(onlyId(model, id), patch)
  if (count === 0) return undefined
  // The patch holds what the collection added to it, and what is stored in place of its values.
  return finishPatch(model, { ...row, ...patch }, work)
}

async function patchFound(model: ModelType, id: Id, data: unknown, write: Write): Promise<ModelInstance | undefined> {
  const current = await findById(model, id, undefined, readingToWrite(model, write))
  return current === null ? undefined : patchInstanceBy(model, current, data, write)
}
