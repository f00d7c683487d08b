import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import { conditionUnderScope } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import type { ModelType } from '../model/model-type.ts'
import { announceChange } from './announce-change.ts'
import { checkAsked } from './check-asked.ts'
import type { Options } from './create.ts'
import { deleteGuarded } from './delete-guarded.ts'
import { announceAccess } from './run-query.ts'
import { collectionOf, toId, whereId } from './identify.ts'
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
  options: Options
): Promise<{ count: number }> {
  const collection = collectionOf(model, 'delete')
  const hookState = {}
  const asked = (await resolveChangingWhere(model, where, options)) ?? {}
  const trusted = checkAsked(model, ['access', 'before delete'], { where: asked }, options)
  const wire = model.hooks.has('access')
    ? (await announceAccess(model, { where: asked }, options, hookState))['where']
    : asked
  // An `access` observer hands back the query it was given, whose where is an object.
  const facts = { where: wire as Record<string, unknown>, hookState }
  const target = model.hooks.has('before delete')
    ? (await notifyHook(model, 'before delete', facts, options)).where
    : wire
  const condition = conditionUnderScope(model, compileOptionalWhere(model, target, trusted))
  const removed = model.registry.changes.hasListeners(model.name)
    ? await collection.find({ where: condition, order: [], skip: 0 })
    : undefined
  const isGuarded = model.deletionGuards.length > 0
  const count = await (isGuarded ? deleteGuarded(model, collection, condition, options) : collection.delete(condition))
  if (model.hooks.has('after delete')) await notifyHook(model, 'after delete', { ...facts, info: { count } }, options)
  announceChange(model, { kind: 'remove', id, where: target, instance, removed })
  return { count }
}

/** Removes every record that matches; `where` absent removes all. */
export async function destroyAll(
  model: ModelType,
  where?: unknown,
  options: Options = currentCaller()
): Promise<{ count: number }> {
  return destroyWhere(model, where, {}, options)
}

/**
 * Removes the record with this id; a count of 0 when there is none.
 * @param instance the record itself, where it was told to delete itself: change streams show it
 * @see recording crud/delete
 */
export async function destroyById(
  model: ModelType,
  id: unknown,
  options: Options = currentCaller(),
  instance?: Row
): Promise<{ count: number }> {
  const key = toId(model, id)
  if (key !== undefined)
    return destroyWhere(model, whereId(model, key), { id: key, ...(instance && { instance }) }, options)
  // LB3: a deletion is told even of an id that no record can have; read in LoopBack's answers, by hand.
  announceChange(model, { kind: 'remove', id, where: whereId(model, id), removed: [] })
  return { count: 0 }
}
