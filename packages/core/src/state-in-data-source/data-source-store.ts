import { AsyncResource } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Collection } from '../contract/connector.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Registry } from '../contract/registry.ts'
import { InvalidOption } from '../definition/errors.ts'
import { DuplicateKey } from '../errors.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import type { SharedStore } from '../shared-state/shared-store.ts'
import { entryModel, entryModelName, timeText } from './entry-model.ts'

/** The longest key that is stored as it is. */
const longestKey = 191

const idOf = (key: string): string =>
  key.length <= longestKey ? key : createHash('sha256').update(key).digest('base64url')

/** What a data source must be able to do. */
const needed = ['findById', 'insert', 'update', 'delete'] as const

/** @throws {InvalidOption} the data source has no records, or none that change under a condition for all processes at once */
function checkModel(model: ModelType, dataSource: string): Collection {
  const { collection, dataSource: source } = model
  const { operations, atomicity } = source?.connector.capabilities ?? {}
  const isRefused = atomicity === 'process' || !needed.every((name) => operations?.has(name) === true)
  if (collection === undefined || isRefused)
    throw new InvalidOption(
      `the data source "${dataSource}" cannot keep the shared state: it changes no records under a condition, atomically`,
      { key: 'sharedState' }
    )
  return collection
}

interface Entries {
  readonly model: ModelType
  readonly collection: Collection
  /** Runs work outside of the transaction that its caller may be in: what is counted stays counted when that is rolled back. */
  readonly outside: <Result>(work: () => Promise<Result>) => Promise<Result>
}

const where = ({ model }: Entries, condition: object): Parameters<Collection['delete']>[0] =>
  compileOptionalWhere(model, condition)

async function readValue({ collection }: Entries, id: string): Promise<string | undefined> {
  const row = await collection.findById(id)
  return row !== undefined && String(row['until']) > timeText(Date.now()) ? String(row['value']) : undefined
}

async function insert({ collection }: Entries, id: string, value: string, until: string): Promise<boolean> {
  try {
    await collection.insert([{ id, value, until }])
    return true
  } catch (error) {
    if (error instanceof DuplicateKey) return false
    throw error
  }
}

/** Puts a value where there is none: one whose time is over makes room. */
async function put(entries: Entries, id: string, value: string, until: string): Promise<boolean> {
  if (await insert(entries, id, value, until)) return true
  const over = where(entries, { id, until: { lte: timeText(Date.now()) } })
  return (await entries.collection.update(over, { value, until })) === 1
}

async function swap(
  entries: Entries,
  id: string,
  from: string | undefined,
  to: string | undefined,
  lifetime: number
): Promise<boolean> {
  const until = timeText(Date.now() + lifetime)
  if (from === undefined) return to === undefined || put(entries, id, to, until)
  const old = where(entries, { id, value: from })
  if (to === undefined) return (await entries.collection.delete(old)) === 1
  return (await entries.collection.update(old, { value: to, until })) === 1
}

/** Defines and attaches the model, unless the application has one of this name that is attached. */
function defineEntries(registry: Registry, dataSource: string): ModelType {
  if (registry.find(entryModelName) === undefined) registry.define(entryModel)
  const model = registry.typeOf(entryModelName)
  if (model.dataSource === undefined) registry.attach(entryModelName, dataSource)
  return model
}

/**
 * Makes a store in a data source of the application, on the model `SharedState`, which is defined and attached unless the application
 * has one. It has no messages. The clocks of the machines must agree.
 * @throws {UnknownDataSource} there is none of this name
 * @throws {InvalidOption} the data source changes no records under a condition, atomically
 */
export function dataSourceStore(registry: Registry, dataSource: string): SharedStore {
  const model = defineEntries(registry, dataSource)
  const resource = new AsyncResource('modelwire shared state')
  const entries: Entries = {
    model,
    collection: checkModel(model, dataSource),
    outside: (work) => resource.runInAsyncScope(work)
  }
  const { outside } = entries
  return {
    name: dataSource,
    keepsFacts: false,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    read: (key) => outside(() => readValue(entries, idOf(key))),
    swap: (key, from, to, lifetime) => outside(() => swap(entries, idOf(key), from, to, lifetime)),
    purge: () =>
      outside(
        async () => void (await entries.collection.delete(where(entries, { until: { lt: timeText(Date.now()) } })))
      )
  }
}
