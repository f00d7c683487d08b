import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { denyMissing } from '../filter/restriction.ts'
import { openTrusted } from '../filter/trusted-where.ts'
import { beginActions, type EndActions } from '../model/begin-actions.ts'
import { BareModel } from '../contract/bare-model.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { announce, announceChange, announceWhere, needsRemoved } from './announce.ts'
import { assertClientQuery } from './assert-client-query.ts'
import { checkAffected } from './check-affected.ts'
import { deleteGuarded } from './delete-guarded.ts'
import { byId, collectionOf, toId, whereId } from './identify.ts'
import { reachedBy, type Write, writeBy, writeOneBy } from './write-within.ts'
import { resolveChangingWhere } from './resolve-related.ts'

/** What is known of the one record that a deletion is about. */
interface Target {
  readonly id?: unknown
  readonly instance?: Row
}

async function destroyWhere(
  model: ModelType,
  where: unknown,
  { id, instance }: Target,
  { call, restriction }: Write
): Promise<{ count: number }> {
  const collection = collectionOf(model, 'delete')
  const hookState = {}
  const resolved = (await resolveChangingWhere(model, where, call)) ?? {}
  const trusted = assertClientQuery(model, ['access', 'before delete'], { where: resolved }, call, restriction)
  const wire = await announceWhere(model, resolved, call, hookState)
  // Observers see the condition as it is, and a client's was checked before they did. An object stays one.
  const facts = { where: (openTrusted(wire) ?? {}) as Record<string, unknown>, hookState }
  const target = model.hooks.has('before delete') ? (await announce(model, 'before delete', facts, call)).where : wire
  const condition = reachedBy(model, target, trusted, { call, restriction })
  await checkAffected(model, condition, call)
  const removed = needsRemoved(model) ? await collection.find({ where: condition, order: [], skip: 0 }) : undefined
  const end = await beginDestroy(model, instance)
  const isGuarded = model.deletionGuards.length > 0
  const count = await (isGuarded ? deleteGuarded(model, collection, condition, call) : collection.delete(condition))
  await end?.()
  await announce(model, 'after delete', { ...facts, info: { count } }, call)
  announceChange(model, { kind: 'remove', id, where: openTrusted(target), instance, removed })
  return { count }
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
 * Removes the record with this id; a count of 0 when there is none.
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
  if (key === undefined) denyMissing(restriction)
  if (key !== undefined) {
    const target = { id: key, ...(instance && { instance }) }
    const removed = await destroyWhere(model, byId(model, key), target, write)
    if (removed.count === 0) denyMissing(restriction)
    return removed
  }
  // LB3: a deletion is published even for an id that no record can have; read in LoopBack's answers, by hand.
  announceChange(model, { kind: 'remove', id, where: whereId(model, id), removed: [] })
  return { count: 0 }
}
