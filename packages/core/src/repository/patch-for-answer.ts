import type { Id, Row } from '../connector/connector.ts'
import type { Model } from '../model/model.ts'
import type { ModelType } from '../model/model-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { announceChange } from './announce-change.ts'
import { completeRow } from './complete-row.ts'
import type { Options } from './create.ts'
import { directPatch, isUnobserved, unseenPatch } from './direct-row.ts'
import { findById } from './find.ts'
import { Found } from './found.ts'
import { collectionOf, onlyId, toId } from './identify.ts'
import { checkSameId, keepsId, patchInstance } from './update.ts'

type Patched = Awaitable<Found | Model | undefined>

/** A patch of the record with this id. */
interface PatchOf {
  readonly id: Id
  readonly data: Row
  readonly options: Options
}

/**
 * Changes some properties of the record with this id for an answer: as the changed row, where nobody observes the model and
 * so nobody wants an instance. Undefined when there is none.
 * @throws {ValidationError} the record would break a rule
 * @throws {IdMismatch} `data` has another id
 */
export function patchForAnswer(model: ModelType, id: unknown, data: unknown, options: Options): Patched {
  const key = toId(model, id)
  if (key === undefined) return undefined
  if (!isUnobserved(model, options) || !isPlainObject(data)) return patchFound(model, key, data, options)
  const work = { id: key, data, options }
  return patchUnseen(model, work) ?? patchSeen(model, work)
}

/** By one statement, for a connector that knows it; undefined where the record has to be read first. */
function patchUnseen(model: ModelType, work: PatchOf): Promise<Found | Model | undefined> | undefined {
  const { id, data, options } = work
  const { collection, dataSource } = model
  if (dataSource?.connector.capabilities.operations.has('patch') !== true || !keepsId(model, data, id)) return undefined
  const unseen = unseenPatch(model, data, options)
  if (unseen === undefined) return undefined
  const { patch, conditions } = unseen
  const change = async (): Promise<Found | Model | undefined> => {
    const where = { kind: 'and', conditions: [onlyId(model, id), ...conditions] } as const
    const stored = await collection?.patch?.(where, patch)
    // There is no such record, or it would break a rule: whoever reads it tells which.
    return stored === undefined ? patchSeen(model, work) : answer(model, id, { ...stored, ...patch })
  }
  return change()
}

function answer(model: ModelType, id: Id, row: Row): Found {
  announceChange(model, { kind: 'update', id, after: row })
  return new Found(model, { rows: [row] }, true)
}

function patchSeen(model: ModelType, { id, data, options }: PatchOf): Patched {
  return andThen(collectionOf(model, 'findById').findById(id), (stored): Patched => {
    if (stored === undefined) return undefined
    const direct = directPatch(model, completeRow(model, stored), data, options)
    if (direct === undefined) return patchFound(model, id, data, options)
    checkSameId(model, data, id)
    return andThen(collectionOf(model, 'update').update(onlyId(model, id), direct.patch), (count) =>
      count === 0 ? undefined : answer(model, id, direct.row)
    )
  })
}

async function patchFound(model: ModelType, id: Id, data: unknown, options: Options): Promise<Model | undefined> {
  const current = await findById(model, id, undefined, options)
  return current === null ? undefined : patchInstance(model, current, data, options)
}
