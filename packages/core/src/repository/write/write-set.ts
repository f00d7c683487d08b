import type { Call } from '../../contract/call.ts'
import { callOf } from '../../access/call.ts'
import type { Collection } from '../../contract/connector.ts'
import type { Condition } from '../../contract/condition.ts'
import type { Change } from '../../contract/change-log.ts'
import type { Row } from '../../contract/row.ts'
import { InvalidArgument, InvalidValue } from '../../errors.ts'
import { scopeValues } from '../../filter/default-scope.ts'
import { denyMissing } from '../../filter/restriction.ts'
import { openTrusted, TrustedWhere } from '../../filter/trusted-where.ts'
import { beginActions, type EndActions } from '../../model/begin-actions.ts'
import { BareModel, type ModelInstance } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { validateEach } from '../../validation/validate-each.ts'
import { acceptData } from '../records/accept-data.ts'
import {
  announce,
  announceChange,
  announcePersist,
  announceWhere,
  type HookFacts,
  needsRemoved
} from '../records/announce.ts'
import { toData } from './create.ts'
import { collectionOf, restOfStoredKey, toId, whereId, withoutId } from '../records/identify.ts'
import { checkedPatch } from './patch.ts'
import { completeRow, toInstance } from '../records/records.ts'
import { resolveChangingWhere } from '../read/related.ts'
import {
  assertClientQuery,
  checkAffected,
  isNativeClient,
  type Write,
  writeBy,
  writeCondition,
  writeOneBy
} from '../records/rights.ts'

/** The specifics of an operation on all records that satisfy a condition. */
interface SetWrite {
  readonly before: 'before save' | 'before delete'
  readonly after: 'after save' | 'after delete'
  /** The data of the change for observers, in addition to its condition. */
  readonly data?: Row
  /** Makes the row to store after observers of `before save`. */
  readonly persist?: (data: Row | undefined, facts: HookFacts) => Promise<Row>
  /** Runs the statement; returns how many records it changed. */
  readonly store: (reached: Condition | undefined, patch: Row) => Promise<number>
  /** Returns the change to publish. */
  readonly change: (patch: Row) => Omit<Change, 'model' | 'where'>
}

/** Changes all records of a condition: observers, the rights of the caller, one statement, observers again. */
async function writeSet(model: ModelType, where: unknown, write: Write, set: SetWrite): Promise<{ count: number }> {
  const { call, restriction } = write
  const { before, after, data } = set
  const hookState = {}
  const trusted = assertClientQuery(model, ['access', before], { where }, call, restriction)
  const wire = await announceWhere(model, where, call, hookState)
  // Observers see the condition as it is, and a client's was checked before they did. An object stays one.
  const facts = { where: (openTrusted(wire) ?? {}) as Row, hookState }
  // Observers may remove themselves.
  const isObserved = model.hooks.has(before)
  const told = await announce(model, before, { ...facts, ...(data && { data: { ...data } }) }, call)
  const target = isObserved ? conditionLeft(model, told.where, wire, data === undefined) : wire
  const patch = (await set.persist?.(told.data, facts)) ?? {}
  const reached = writeCondition(model, target, trusted, write)
  await checkAffected(model, reached, call)
  const count = await set.store(reached, patch)
  await announce(model, after, { ...facts, ...(data && { data: patch }), info: { count } }, call)
  announceChange(model, { where: openTrusted(target), ...set.change(patch) })
  return { count }
}

/**
 * The condition that observers left. Natively they cannot make it one of all records by leaving none. LB3: of a deletion they do;
 * of an update the one before them holds.
 */
function conditionLeft(model: ModelType, left: unknown, wire: unknown, isDeletion: boolean): unknown {
  return left ?? (isDeletion && model.registry.rules.normalizesUndefined ? undefined : wire)
}

/** What an update of many sets. @throws {ValidationError} a value cannot become its type, or is not declared */
const updatePatch = (model: ModelType, data: Row): Row =>
  checkedPatch(model, withoutId(model, { ...data, ...scopeValues(model) }), 'stored')

/** @throws the restriction's error for denied records: some of them would not be the client's to change any more */
async function checkAllAdmitted({ restriction }: Write, patch: Row): Promise<void> {
  if (restriction?.admitsPatch !== undefined && !(await restriction.admitsPatch(patch))) throw restriction.deny()
}

async function storeEach(model: ModelType, where: Condition | undefined, patch: Row, write: Write): Promise<number> {
  if (isNativeClient(model, write)) {
    const toRecord = (row: Row): ModelInstance => toInstance(model, completeRow(model, row))
    await validateEach(model, { patch, where, toRecord, options: write.call.options })
  }
  return collectionOf(model, 'update').update(where, patch)
}

/**
 * Changes the given properties of every record that matches. Validation runs for clients, unless `updatesWithoutRules`
 * holds, and not for code.
 * @throws {ValidationError} a value cannot become its type, or a record would break a rule
 * @throws {InvalidArgument} natively: there is no data
 */
export async function updateAll(
  model: ModelType,
  where: unknown,
  data: unknown,
  call: Call = callOf()
): Promise<{ count: number }> {
  const write = await writeBy(model, call, 'updateAll')
  const resolved = await resolveChangingWhere(model, where, call)
  if (data === undefined && !model.registry.rules.normalizesUndefined)
    throw new InvalidArgument(`updateAll of ${model.name} requires the data of the change`)
  if (Array.isArray(data)) throw new InvalidValue(`${model.name} cannot be updated with a list`)
  const sent = acceptData(model, toData(model, data), write, 'each')
  return writeSet(model, resolved, write, {
    before: 'before save',
    after: 'after save',
    data: sent,
    persist: async (changed, facts) => {
      const patch = await announcePersist(model, { ...facts, data: updatePatch(model, changed ?? sent) }, call)
      await checkAllAdmitted(write, patch)
      return patch
    },
    store: (reached, patch) => storeEach(model, reached, patch, write),
    change: (after) => ({ kind: 'update', id: undefined, after })
  })
}

/** The facts known about the single record of a deletion. */
interface Target {
  readonly id?: unknown
  readonly instance?: Row
}

async function destroyWhere(
  model: ModelType,
  where: unknown,
  { id, instance }: Target,
  write: Write
): Promise<{ count: number }> {
  const { call } = write
  const collection = collectionOf(model, 'delete')
  const resolved = (await resolveChangingWhere(model, where, call)) ?? {}
  let removed: readonly Row[] | undefined
  return writeSet(model, resolved, write, {
    before: 'before delete',
    after: 'after delete',
    store: async (condition) => {
      if (needsRemoved(model)) removed = await collection.find({ where: condition, order: [], skip: 0 })
      const end = await beginDestroy(model, instance)
      const isGuarded = model.deletionGuards.length > 0
      const count = await (isGuarded ? deleteGuarded(model, collection, condition, call) : collection.delete(condition))
      await end?.()
      return count
    },
    change: () => ({ kind: 'remove', id, instance, removed })
  })
}

/** LB3: functions stand around the deletion of a record by itself, not by its id; lib/dao.js */
async function beginDestroy(model: ModelType, instance: Row | undefined): Promise<EndActions | undefined> {
  if (!(instance instanceof BareModel)) return undefined
  return beginActions(model, instance as ModelInstance, ['destroy'], null) // all records are of this class
}

/** Removes every record that matches; `where` absent removes all. */
export async function destroyAll(model: ModelType, where?: unknown, call: Call = callOf()): Promise<{ count: number }> {
  return destroyWhere(model, where, {}, await writeBy(model, call, 'destroyAll'))
}

/**
 * Removes the record with this id; returns a count of 0 if it does not exist.
 * @param instance the instance whose `delete` was called: change streams show it
 * @see recording crud/delete
 */
export async function destroyById(
  model: ModelType,
  id: unknown,
  call: Call = callOf(),
  instance?: Row
): Promise<{ count: number }> {
  const key = toId(model, id)
  const write = await writeOneBy(model, call, 'deleteById')
  const { restriction } = write
  if (key === undefined) {
    denyMissing(restriction)
    // LB3: a deletion is published even for an id that no record can have; read in LoopBack's answers, by hand.
    announceChange(model, { kind: 'remove', id, where: whereId(model, id), removed: [] })
    return { count: 0 }
  }
  const target = { id: key, ...(instance && { instance }) }
  const rest = instance instanceof BareModel ? await restOfStoredKey(model, instance) : {}
  const only = new TrustedWhere({ ...whereId(model, key), ...rest })
  const removed = await destroyWhere(model, only, target, write)
  if (removed.count === 0) denyMissing(restriction)
  return removed
}

/**
 * Deletes the matching records after everything that depends on them, in one transaction where the connector has them.
 * All guards run before anything changes.
 */
async function deleteGuarded(
  model: ModelType,
  collection: Collection,
  where: Condition | undefined,
  call: Call
): Promise<number> {
  const { deletionGuards, dataSource } = model
  const work = async (): Promise<number> => {
    const rows = await collection.find({ where, order: [], skip: 0 })
    for (const guard of deletionGuards) await guard.check(rows, call)
    for (const guard of deletionGuards) await guard.apply(rows, call)
    return collection.delete(where)
  }
  const connector = dataSource?.connector
  return connector?.capabilities.transactions === true && connector.transaction !== undefined
    ? connector.transaction(work)
    : work()
}
