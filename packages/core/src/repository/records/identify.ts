import type { Collection } from '../../contract/connector.ts'
import type { Id, Row } from '../../contract/row.ts'
import { DuplicateKey, InvalidArgument, NotImplemented } from '../../errors.ts'
import type { Condition } from '../../contract/condition.ts'
import { conditionUnderScope, hasScope } from '../../filter/default-scope.ts'
import { isPlainObject } from '@modelwire/server'
import { isMissing } from '../../filter/missing-values.ts'
import { TrustedWhere } from '../../filter/trusted-where.ts'
import { hasKey, hasOneOfKeys, idOf, isComposite, keyTextOf, keyValues } from '../../model/composite-key.ts'
import { type BareModel, stateOf } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import type { PropertyType } from '../../types/property-type.ts'
import { compileCoercion } from '../../types/coerce-value.ts'
import { Unusable } from '../../values/unusable.ts'

/**
 * The collection of a model, provided that its connector supports `operation`.
 * @throws {NotImplemented} it cannot, or there is no data source
 */
export function collectionOf(model: ModelType, operation: keyof Collection): Collection {
  const { collection, dataSource } = model
  if (collection === undefined || dataSource === undefined) throw new NotImplemented(`${model.name} has no data source`)
  if (!dataSource.connector.capabilities.operations.has(operation))
    throw new NotImplemented(`the connector of ${model.name} cannot ${operation}`)
  return collection
}

export { idOf }

/**
 * The id that data names. One of several properties is read from the parts as they would be stored, since one part may be
 * written in several ways: undefined if no record can have it.
 */
export function sentId(model: ModelType, data: Readonly<Row>): unknown {
  if (!isComposite(model)) return idOf(model, data)
  const parts = model.key.map(({ name }) => [name, asStored(model, name, data[name])] as const)
  const values = keyValues(model, keyTextOf(model, Object.fromEntries(parts)))
  return values && keyTextOf(model, values)
}

function asStored(model: ModelType, name: string, raw: unknown): unknown {
  const plan = model.plan.find((each) => each.name === name)
  const value = raw === null || raw === undefined ? raw : plan?.coerce(raw)
  return value instanceof Unusable ? raw : value
}

/** The id property. @throws {NotImplemented} the model has none */
export function idPropertyOf(model: ModelType): PropertyType {
  if (model.idProperty === undefined) throw new NotImplemented(`${model.name} has no id`)
  return model.idProperty
}

/** The id that an instance is stored with: its own values may have changed where several properties are the id. */
export function storedIdOf(model: ModelType, instance: BareModel): unknown {
  return idOf(model, isComposite(model) ? (stateOf(instance).loaded ?? instance) : instance)
}

const noModels = { findModel: () => undefined }

/** True for a value that names no record at all. */
export const isAbsentId = (raw: unknown): boolean => raw === null || raw === undefined || raw === ''

/** The text of an id of several properties. @throws {InvalidArgument} an object does not have exactly these */
function toKeyText(model: ModelType, raw: unknown): string | undefined {
  const names = model.keyNames
  const isWhole = isPlainObject(raw) && names.every((name) => !isMissing(raw[name]) && raw[name] !== null)
  if (isPlainObject(raw) && !(isWhole && Object.keys(raw).length === names.length))
    throw new InvalidArgument(`the id of a ${model.name} must have ${names.join(' and ')}`)
  const values = keyValues(model, raw)
  return values && keyTextOf(model, values)
}

/**
 * Converts an id to the type of its property; undefined if no record can have it, such as "abc" for a number. One of several
 * properties is a text, and may be given as an object of them.
 * @throws {InvalidArgument} the id is null or absent, or lacks a part; natively also NaN or an invalid date
 */
export function toId(model: ModelType, raw: unknown): Id | undefined {
  const isNone = isAbsentId(raw) || (!model.registry.rules.normalizesUndefined && isMissing(raw))
  if (isNone) throw new InvalidArgument(`the id of the ${model.name} is missing`)
  const { type } = idPropertyOf(model)
  if (isComposite(model)) return toKeyText(model, raw)
  if (type.kind === 'number' && typeof raw === 'number') return raw
  const { readsDatesInZone } = model.registry.rules
  const id = compileCoercion(type, { ...noModels, readsDatesInZone })(raw)
  // A coerced value that is usable is of the id's declared type.
  return id instanceof Unusable ? undefined : (id as Id)
}

/** An id as it is compared: that of several properties as a text, if it is one. */
export function idText(model: ModelType, id: unknown): unknown {
  if (!isComposite(model)) return id
  const values = keyValues(model, id)
  return values === undefined ? id : keyTextOf(model, values)
}

/** An id as it stands in a path. */
export function idInPath(model: ModelType, id: unknown): string {
  const text = isComposite(model) && keyValues(model, id) !== undefined ? idText(model, id) : undefined
  return typeof text === 'string' ? text : encodeURIComponent(String(id))
}

/** The values of an id by the properties that are it. */
export function idValues(model: ModelType, id: unknown): Row {
  const { name } = idPropertyOf(model)
  return isComposite(model) ? (keyValues(model, id) ?? {}) : { [name]: id }
}

/** The condition `{ id: … }` with the names of the properties that are the id, as in hooks and filters. */
export function whereId(model: ModelType, id: unknown): Record<string, unknown> {
  const values = idValues(model, id)
  // What no record can have as its id must not become a condition on nothing.
  return Object.keys(values).length === 0 ? { [idPropertyOf(model).name]: id } : values
}

/** The same as a condition of the server, regardless of the call. */
export function byId(model: ModelType, id: unknown): TrustedWhere {
  return new TrustedWhere(whereId(model, id))
}

/** True if the record exists but is outside of the model's default scope: for callers it does not exist. */
export async function isOutOfScope(model: ModelType, id: unknown): Promise<boolean> {
  if (!hasScope(model)) return false
  const only = onlyId(model, id)
  const collection = collectionOf(model, 'count')
  return (await collection.count(conditionUnderScope(model, only))) === 0 && (await collection.count(only)) > 0
}

/** The error for a new record whose id another one has. */
export function takenId(model: ModelType, id: unknown): DuplicateKey {
  const properties = model.keyNames
  return new DuplicateKey(model.name, { index: undefined, properties }, isComposite(model) ? undefined : id)
}

/** The condition that only the record with this id satisfies. @param rest of its key, where several records have the id */
export function onlyId(model: ModelType, id: unknown, rest: Row = {}): Condition {
  const { name, type } = idPropertyOf(model)
  const isId = isComposite(model)
    ? hasKey(model, id)
    : ({ kind: 'test', path: [name], type, test: 'equals', value: id } as const)
  const others = Object.entries(rest).map(
    ([key, value]) => ({ kind: 'test', path: [key], type: model.byName.get(key)?.type, test: 'equals', value }) as const
  )
  return others.length === 0 ? isId : { kind: 'and', conditions: [isId, ...others] }
}

/** The only stored row with this id; undefined if there is none, or there are several. */
export async function storedRow(model: ModelType, id: Id): Promise<Row | undefined> {
  if (!mayRepeatIds(model)) return model.collection?.findById(id)
  const rows = (await model.collection?.find({ where: onlyId(model, id), order: [], skip: 0, limit: 2 })) ?? []
  return rows.length === 1 ? rows[0] : undefined
}

/**
 * The values of a record that tell it from others with its id, so that writing it changes no other one; empty where ids are
 * unique, where the record lacks a value, and where `changesAllOfId` holds.
 */
export async function restOfKey(model: ModelType, record: Readonly<Row>): Promise<Row> {
  if (model.registry.rules.changesAllOfId) return {}
  const rest = (await model.dataSource?.connector.capabilities.keyBesideId?.(model)) ?? []
  const values = rest.map(({ name }) => [name, record[name]] as const)
  return values.some(([, value]) => value === undefined || value === null) ? {} : Object.fromEntries(values)
}

/** Remembers the values that a record is stored with, for a model whose ids may repeat or consist of several properties. */
export function rememberStored(model: ModelType, instance: BareModel, row: Readonly<Row>): void {
  if (!mayRepeatIds(model) && !isComposite(model)) return
  const state = stateOf(instance)
  state.loaded = state.loaded === undefined ? row : { ...state.loaded, ...row }
}

/** The same for an instance, by the values that it is stored with: its own may have changed. */
export const restOfStoredKey = async (model: ModelType, instance: BareModel): Promise<Row> =>
  restOfKey(model, stateOf(instance).loaded ?? {})

/** True where the database may hold several records of one id, none of which may stand for the others. */
export const mayRepeatIds = ({ registry, dataSource }: ModelType): boolean =>
  !registry.rules.changesAllOfId && dataSource?.connector.capabilities.keyBesideId !== undefined

/** The condition that only the records with these ids satisfy. */
export function onlyIds(model: ModelType, ids: readonly unknown[]): Condition {
  const { name, type } = idPropertyOf(model)
  return isComposite(model) ? hasOneOfKeys(model, ids) : { kind: 'test', path: [name], type, test: 'in', values: ids }
}

/** The data without the id. */
export function withoutId(model: ModelType, row: Row): Row {
  const { [idPropertyOf(model).name]: _id, ...rest } = row
  if (!isComposite(model)) return rest
  const names = new Set(model.keyNames)
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !names.has(name)))
}
