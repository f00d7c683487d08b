import { currentCaller } from '../operations/caller.ts'
import type { Row } from '../connector/connector.ts'
import { DuplicateKey, InvalidArgument, InvalidValue, SeveralMatches, ValidationError } from '../errors.ts'
import { compileFilter, compileOptionalWhere } from '../filter/compile-filter.ts'
import { scopeValues, underScope } from '../filter/default-scope.ts'
import { notifyHook } from '../hooks/notify-hook.ts'
import { convertPatch, toRow } from '../model/build-instance.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { toDetails, validateInstance } from '../validation/validate-instance.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { announceChange } from './announce-change.ts'
import { checkAsked } from './check-asked.ts'
import { missingDefaults } from './complete-row.ts'
import { create, createAll, draftInstance, toData, type Options } from './create.ts'
import { announceLoaded } from './find.ts'
import { announceAccess } from './run-query.ts'
import { collectionOf, idOf, idPropertyOf, isOutOfScope, toId, whereId } from './identify.ts'
import { toInstance } from './to-instance.ts'
import { patchById } from './update.ts'

/**
 * Updates the record with the data's id in part, or creates one. Where ids are the database's own, an id that is not stored
 * is an error. Version 2 also takes a list.
 * @throws {RecordNotFound} the id is not stored and clients may not choose ids
 * @see recordings crud/patch-collection and version2/put
 */
export async function patchOrCreate(
  model: ModelType,
  data: unknown,
  options: Options = currentCaller()
): Promise<Model | Model[]> {
  if (Array.isArray(data)) return upsertList(model, data, options)
  const given = toData(model, data)
  const id = given[idPropertyOf(model).name]
  if (id === undefined || id === null) return create(model, given, options)
  if (model.forceId) return patchById(model, id, given, options)
  return upsertById(model, id, given, options)
}

async function upsertList(model: ModelType, list: readonly unknown[], options: Options): Promise<Model[]> {
  if (!model.registry.version.upsertsLists) throw new InvalidValue(`a ${model.name} is an object, not a list`)
  return createAll(model, list, options)
}

/** LB3: neither validated nor completed by defaults in the answer; pinned by version2/put and crud/force-id. */
async function upsertById(model: ModelType, id: unknown, given: Row, options: Options): Promise<Model> {
  const key = toId(model, id)
  const where = whereId(model, key)
  if (await isOutOfScope(model, key)) throw new DuplicateKey(model.name, idPropertyOf(model).name, key)
  const hookState = {}
  if (model.hooks.has('access')) await announceAccess(model, { where }, options, hookState)
  const data =
    (await notifyHook(model, 'before save', { data: { ...given, ...scopeValues(model) }, where, hookState }, options))
      .data ?? given
  const patch = checkedPatch(model, data)
  const persisted =
    (
      await notifyHook(
        model,
        'persist',
        { data: patch, where, currentInstance: draftInstance(model, given), hookState },
        options
      )
    ).data ?? patch
  const { row, created } = await collectionOf(model, 'upsert').upsert(persisted)
  // Defaults of a new record are stored, though the answer of the upsert does not show them.
  if (created) await completeDefaults(model, row)
  return announceSaved(model, created ? persisted : row, { created, options, hookState })
}

function checkedPatch(model: ModelType, data: Row): Row {
  const { patch, unusable, undeclared } = convertPatch(model, data)
  const problems = [...unusable].map(([property, value]) => ({ property, code: value.code, message: value.message }))
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
  // LB3: PATCH on the collection drops undeclared properties of a strict model silently; pinned by crud/strict-true.
  if (model.strict) for (const name of undeclared) delete patch[name]
  return patch
}

async function completeDefaults(model: ModelType, row: Row): Promise<void> {
  const missing = missingDefaults(model, row)
  if (missing !== undefined)
    await collectionOf(model, 'update').update(compileOptionalWhere(model, whereId(model, idOf(model, row))), missing)
}

async function announceSaved(
  model: ModelType,
  row: Row,
  { created, options, hookState }: { created: boolean; options: Options; hookState: Record<string, unknown> }
): Promise<Model> {
  await announceLoaded(model, row, created, options, hookState)
  const instance = toInstance(model, row)
  if (model.hooks.has('after save'))
    await notifyHook(model, 'after save', { instance, isNewInstance: created, hookState }, options)
  announceChange(model, { kind: created ? 'create' : 'update', id: idOf(model, row), after: row })
  return instance
}

/**
 * Updates the one record that matches, or creates one. The data is validated as a whole new record either way.
 * @throws {InvalidArgument} `where` or the data is empty
 * @throws {SeveralMatches} more than one record matches
 * @throws {ValidationError} the data breaks a rule
 * @see recording crud/upsert-with-where
 */
export async function upsertWithWhere(
  model: ModelType,
  where: unknown,
  data: unknown,
  options: Options = currentCaller()
): Promise<Model> {
  const given = toData(model, data)
  if (!isPlainObject(where) || Object.keys(where).length === 0) throw new InvalidArgument('where must hold a condition')
  if (Object.keys(given).length === 0) throw new InvalidArgument('the data must hold a property')
  const hookState = {}
  const trusted = checkAsked(model, ['access'], { where }, options)
  const wire = model.hooks.has('access') ? (await announceAccess(model, { where }, options, hookState))['where'] : where
  const changed =
    (await notifyHook(model, 'before save', { data: { ...given }, where, hookState }, options)).data ?? given
  const draft = draftInstance(model, changed)
  await validateInstance(model, draft, true, options)
  const found = await collectionOf(model, 'find').find({
    ...underScope(model, compileFilter(model, { where: wire }, trusted)),
    limit: 2
  })
  if (found.length > 1) throw new SeveralMatches(`several records of ${model.name} match`)
  const patch = checkedPatch(model, { ...changed, ...scopeValues(model) })
  const persisted =
    (await notifyHook(model, 'persist', { data: patch, where, currentInstance: draft, hookState }, options)).data ??
    patch
  const [current] = found
  if (current === undefined) return insertUpserted(model, draft, persisted, { options, hookState })
  const id = idOf(model, current)
  await collectionOf(model, 'update').update(compileOptionalWhere(model, whereId(model, id)), persisted)
  return announceSaved(model, { ...current, ...persisted }, { created: false, options, hookState })
}

async function insertUpserted(
  model: ModelType,
  draft: Model,
  persisted: Row,
  mode: { options: Options; hookState: Record<string, unknown> }
): Promise<Model> {
  const [row = {}] = await collectionOf(model, 'insert').insert([{ ...toRow(model, draft), ...persisted }])
  const id = idPropertyOf(model).name
  // LB3: the answer shows the id and what was sent, not the defaults; pinned by crud/upsert-with-where.
  const answer = Object.fromEntries(Object.entries(row).filter(([key]) => key === id || Object.hasOwn(persisted, key)))
  return announceSaved(model, answer, { ...mode, created: true })
}
