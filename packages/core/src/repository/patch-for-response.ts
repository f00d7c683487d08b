import type { Call } from '../contract/call.ts'
import type { Id, Row } from '../contract/row.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { completeRow } from './complete-row.ts'
import { prepareRowPatch, satisfiesRules, showRow, unseenPatch, writesRows } from './prepare-row.ts'
import { findById } from './find.ts'
import type { Records } from './records.ts'
import { collectionOf, onlyId, toId } from './identify.ts'
import { checkSameId, keepsId, patchInstanceBy } from './update.ts'
import { finish } from './write.ts'
import { readingToWrite, type Write, writeOneBy } from './write-within.ts'

type Patched = Awaitable<Records | ModelInstance | undefined>

/** A patch of the record with this id. */
interface PatchOf {
  readonly id: Id
  readonly data: Row
  readonly write: Write
}

/**
 * Changes some properties of the record with this id for an answer: as the changed row, where the model has no
 * observers and so no instance is needed. Undefined when there is none.
 * @throws {ValidationError} the record would break a rule
 * @throws {IdMismatch} `data` has another id
 */
export function patchForResponse(model: ModelType, id: unknown, data: unknown, call: Call): Patched {
  const key = toId(model, id)
  if (key === undefined) return undefined
  return andThen(writeOneBy(model, call, 'patchAttributes'), (write) => {
    if (!writesRows(model, write) || !isPlainObject(data)) return patchFound(model, key, data, write)
    const work = { id: key, data, write }
    return patchUnseen(model, work) ?? patchSeen(model, work)
  })
}

/** By one statement, for a connector that knows it; undefined where the record has to be read first. */
function patchUnseen(model: ModelType, work: PatchOf): Promise<Records | ModelInstance | undefined> | undefined {
  const { id, data, write } = work
  const { collection, dataSource } = model
  if (dataSource?.connector.capabilities.operations.has('patch') !== true || !keepsId(model, data, id)) return undefined
  const unseen = unseenPatch(model, data, write.call.options)
  if (unseen === undefined) return undefined
  const { patch, conditions } = unseen
  const change = async (): Promise<Records | ModelInstance | undefined> => {
    const where = { kind: 'and', conditions: [onlyId(model, id), ...conditions] } as const
    const stored = await collection?.patch?.(where, patch)
    // No such record, or it would break a rule: reading it shows which.
    return stored === undefined ? patchSeen(model, work) : answer(model, work, { ...stored, ...patch })
  }
  return change()
}

const answer = (model: ModelType, { id, data, write }: PatchOf, row: Row): Awaitable<Records> =>
  finish(model, { row, id, isNew: false, sent: data, show: showRow(model) }, write)

function patchSeen(model: ModelType, work: PatchOf): Patched {
  const { id, data, write } = work
  return andThen(collectionOf(model, 'findById').findById(id), (stored): Patched => {
    if (stored === undefined) return undefined
    const patch = prepareRowPatch(model, data)
    const row = { ...completeRow(model, stored), ...patch }
    if (patch === undefined || !satisfiesRules(model, row, write.call.options))
      return patchFound(model, id, data, write)
    checkSameId(model, data, id)
    return andThen(collectionOf(model, 'update').update(onlyId(model, id), patch), (count) =>
      // The patch holds what the collection added to it.
      count === 0 ? undefined : answer(model, work, model.optimisticLocking ? { ...row, ...patch } : row)
    )
  })
}

async function patchFound(model: ModelType, id: Id, data: unknown, write: Write): Promise<ModelInstance | undefined> {
  const current = await findById(model, id, undefined, readingToWrite(model, write))
  return current === null ? undefined : patchInstanceBy(model, current, data, write)
}
