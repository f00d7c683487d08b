import { currentCaller } from '../operations/caller.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import { conditionUnderScope } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import type { ModelType } from '../model/model-type.ts'
import { announceChange } from './announce-change.ts'
import { checkAsked } from './check-asked.ts'
import type { Options } from './create.ts'
import { deleteGuarded } from './delete-guarded.ts'
import { announceAccess } from './find.ts'
import { collectionOf, toId, whereId } from './identify.ts'
import { resolveRelatedWhere } from './resolve-related.ts'

async function destroyWhere(
  model: ModelType,
  where: unknown,
  id: unknown,
  options: Options
): Promise<{ count: number }> {
  const collection = collectionOf(model, 'delete')
  const hookState = {}
  const asked = (await resolveRelatedWhere(model, where, options)) ?? {}
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
  const before = model.registry.changes.hasListeners(model.name)
    ? await collection.find({ where: condition, order: [], skip: 0 })
    : undefined
  const isGuarded = model.deletionGuards.length > 0
  const count = await (isGuarded ? deleteGuarded(model, collection, condition, options) : collection.delete(condition))
  if (model.hooks.has('after delete')) await notifyHook(model, 'after delete', { ...facts, info: { count } }, options)
  announceChange(model, { kind: 'remove', id, before: id === undefined ? undefined : before?.[0], where: target })
  return { count }
}

/** Removes every record that matches; `where` absent removes all. */
export async function destroyAll(
  model: ModelType,
  where?: unknown,
  options: Options = currentCaller()
): Promise<{ count: number }> {
  return destroyWhere(model, where, undefined, options)
}

/** Removes the record with this id; a count of 0 when there is none. @see recording crud/delete */
export async function destroyById(
  model: ModelType,
  id: unknown,
  options: Options = currentCaller()
): Promise<{ count: number }> {
  const key = toId(model, id)
  return key === undefined ? { count: 0 } : destroyWhere(model, whereId(model, key), key, options)
}
