import { allowOwnId, isOfModel } from '@modelwire/core/plugin'
import { keyText, type ModelType } from '@modelwire/core/connector'
import { SeedFileInvalid, SeedRecordTwice } from '../errors.ts'
import { differences, findStored, keysOf, type Stored } from './find-stored.ts'
import { isSame, type SeedAction, type SeedOutcome, type SeedRecord } from './report.ts'
import { placeOf, resolveData, resolveMember } from './resolve-data.ts'
import { type LaterValue, type SeedRun, unknownKey } from './seed-run.ts'

type Data = Readonly<Record<string, unknown>>

/** The values as the model has them: texts of dates become dates. */
function converted(model: ModelType, data: Data): Data {
  const known = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== unknownKey))
  const draft = new model.modelClass({ ...known }).toObject()
  const values = Object.entries(data).map(
    ([name, value]) => [name, asStored(model, name, draft[name] ?? value)] as const
  )
  return Object.fromEntries(values)
}

/** Accounts keep addresses in lower case where their case does not count. */
function asStored(model: ModelType, name: string, value: unknown): unknown {
  const isFolded = name === 'email' && isOfModel(model, 'User') && model.definition['caseSensitiveEmail'] === false
  return isFolded && typeof value === 'string' ? value.toLowerCase() : value
}

/** @throws {SeedRecordTwice} another seed is about the same record */
function noteStored(run: SeedRun, { model, ...seed }: SeedRecord, id: unknown): void {
  const text = keyText(id)
  if (text === undefined) return
  const title = JSON.stringify([model.name, text])
  const other = run.seen.get(title)
  if (other !== undefined) refuseTwice(model, seed, `${other.file}[${other.index}]`)
  run.seen.set(title, { file: seed.file, index: seed.index })
}

function refuseTwice(model: ModelType, { file, index }: Pick<SeedRecord, 'file' | 'index'>, other: string): never {
  throw new SeedRecordTwice(`${other} describes the same record of ${model.name}`, { file, index })
}

/** Keeps a record that a dry run does not create, for references to it. */
function plan(run: SeedRun, seed: SeedRecord, data: Data): void {
  const planned = run.planned.get(seed.model.name) ?? []
  const isTwin = (row: Data): boolean =>
    keysOf(seed.model, data).some((key) => Object.entries(key).every(([name, value]) => isSame(row[name], value)))
  if (planned.some(isTwin)) refuseTwice(seed.model, seed, 'an earlier record')
  run.planned.set(seed.model.name, [...planned, data])
}

interface Work {
  readonly action: SeedAction
  readonly changes: string[]
  readonly record: Stored | undefined
}

async function createRecord(run: SeedRun, seed: SeedRecord, data: Data): Promise<Work> {
  const changes = Object.keys(data)
  if (run.dryRun) {
    plan(run, seed, data)
    return { action: 'created', changes, record: undefined }
  }
  // Seeds choose ids, whatever clients may do.
  const draft = allowOwnId(new seed.model.modelClass({ ...data }))
  return { action: 'created', changes, record: await run.registry.get(seed.model.name).create(draft) }
}

/** Sets what differs. */
async function changeRecord(run: SeedRun, record: Stored, data: Data, values: Data): Promise<Work> {
  const changes = await differences(record, values)
  if (changes.length > 0 && !run.dryRun)
    await record.patchAttributes(Object.fromEntries(changes.map((name) => [name, data[name]])))
  return { action: changes.length > 0 ? 'changed' : 'unchanged', changes, record }
}

/**
 * Creates the record of a seed, or updates what differs in the stored one. Keys of later records are deferred in
 * `run.waiting`.
 * @returns the record; undefined where a dry run would create it
 * @throws {SeedRecordTwice} another seed is about the same record
 * @throws {SeedFileInvalid} nothing tells the record from others
 */
export async function storeRecord(run: SeedRun, seed: SeedRecord): Promise<Stored | undefined> {
  const { model, file, index } = seed
  run.at = placeOf(seed)
  const { data, waiting } = await resolveData(run, seed)
  if (Object.keys(data).length === 0)
    throw new SeedFileInvalid('a record requires a property other than the key of a later record', run.at)
  const values = converted(model, data)
  const stored = await findStored(run, model, values)
  const { action, changes, record } =
    stored === undefined ? await createRecord(run, seed, data) : await changeRecord(run, stored, data, values)
  const id = record?.getId()
  noteStored(run, seed, id)
  const outcome: SeedOutcome = { model: model.name, file, index, action, changes, ...(record && { id }) }
  run.outcomes.push(outcome)
  run.waiting.push(...waiting.map((name) => ({ seed, name, outcome, id })))
  return record
}

async function setLater(run: SeedRun, { seed, name, outcome, id }: LaterValue): Promise<void> {
  run.at = placeOf(seed, name)
  const data = await resolveMember(run, seed, name)
  const record = id === undefined ? null : await run.registry.get(seed.model.name).findById(id)
  if (record === null) return
  const { changes } = await changeRecord(run, record, data, converted(seed.model, data))
  if (changes.length === 0) return
  outcome.changes.push(...changes)
  if (outcome.action === 'unchanged') outcome.action = 'changed'
}

/** Sets the deferred keys, once the records that they refer to exist. */
export async function storeWaiting(run: SeedRun): Promise<void> {
  for (const value of run.waiting.splice(0)) await setLater(run, value)
}
