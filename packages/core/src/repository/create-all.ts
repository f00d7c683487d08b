import type { Call } from '../contract/call.ts'
import { callOf } from '../access/call.ts'
import type { Row } from '../contract/row.ts'
import { ListNotValid, ValidationError } from '../errors.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { readsValueAlone } from '../rules/rules.ts'
import { makeWrittenTogether } from '../validation/written-together.ts'
import type { Awaitable } from '../values/awaitable.ts'
import { finishNew, prepareNew } from './create.ts'
import { collectionOf } from './identify.ts'
import { type Draft, rowOf } from './write.ts'
import { type Write, writeBy } from './write-within.ts'

/** How far one record of a list came. */
interface Outcome {
  readonly draft?: Draft
  /** Absent where the record cannot be stored: then `error` has the reason. */
  readonly row?: Row
  readonly error?: unknown
}

/** Records whose rules look at other records are prepared one after the other, so that each sees the sound ones before it. */
async function forEachOf(
  model: ModelType,
  list: readonly unknown[],
  work: (data: unknown, index: number) => Promise<void>
): Promise<void> {
  if (model.rules.every(readsValueAlone)) {
    await Promise.all(list.map(work))
    return
  }
  for (const [index, data] of list.entries()) await work(data, index)
}

/**
 * The outcomes of a list, and what the database stored of it; undefined where a record cannot be stored. The rows are stored in the
 * moment in which the last one is ready, so that a list that is not waited for keeps its place before the records created after it.
 */
async function storeEach(
  model: ModelType,
  list: readonly unknown[],
  write: Write
): Promise<{ outcomes: readonly Outcome[]; stored: Awaitable<readonly Row[]> | undefined }> {
  const together = makeWrittenTogether(model)
  const outcomes: Outcome[] = []
  let waiting = list.length
  let stored: Awaitable<readonly Row[]> | undefined
  const store = (): void => {
    const rows = outcomes.map(({ row }) => row).filter((row) => row !== undefined)
    if (rows.length === list.length) stored = collectionOf(model, 'insert').insert(rows)
  }
  await forEachOf(model, list, async (data, index) => {
    let draft: Draft | undefined
    try {
      draft = await prepareNew(model, data, write, together)
      together.add(draft.instance)
      outcomes[index] = { draft, row: await rowOf(model, draft, write) }
    } catch (error) {
      outcomes[index] = draft === undefined ? { error } : { draft, error }
    }
    if (--waiting === 0) store()
  })
  return { outcomes, stored }
}

/** Refuses a list of which a record cannot be stored. @throws what is wrong with its data, with its values, or with storing it */
function refuse(outcomes: readonly Outcome[]): never {
  const isInvalid = ({ error }: Outcome): boolean => error instanceof ValidationError
  const failed = outcomes.filter(({ row }) => row === undefined)
  const malformed = failed.find((outcome) => outcome.draft === undefined && !isInvalid(outcome))
  if (malformed !== undefined) throw malformed.error
  if (failed.some((outcome) => outcome.draft === undefined))
    throw new ListNotValid(outcomes.map(({ error }) => (error instanceof ValidationError ? error : null)))
  throw failed[0]?.error
}

/**
 * Stores several new records, all or none. A value that has to be unique may stand in one of them alone: the first that has it
 * keeps it.
 * @throws {ListNotValid} some break a rule; `details` has an error per record that does
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, create, which looks for stored records alone
 */
export async function createAll(
  model: ModelType,
  list: readonly unknown[],
  call: Call = callOf()
): Promise<ModelInstance[]> {
  const write = await writeBy(model, call, 'create')
  if (list.length === 0) return []
  const { outcomes, stored } = await storeEach(model, list, write)
  if (stored === undefined) return refuse(outcomes)
  const rows = await stored
  const created: ModelInstance[] = []
  for (const [index, { draft }] of outcomes.entries())
    if (draft !== undefined) created.push(await finishNew(model, draft, rows[index] ?? {}, write))
  return created
}
