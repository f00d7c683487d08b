import { AsyncResource } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Collection } from '../contract/connector.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Registry } from '../contract/registry.ts'
import { InvalidOption, type SharedStore, type Purge } from '@modelwire/server'
import { DuplicateKey } from '../errors.ts'
import { compileOptionalWhere } from '../filter/compile-filter.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'
import type { HealthCheck } from '../contract/data-source.ts'

/** The parts of a registry for purges and health checks. */
interface SharingRegistry extends Registry {
  addPurge(purge: Purge): void
  addHealthCheck(check: HealthCheck): void
}

/** The name of the model that keeps the shared state in a data source. */
const entryModelName = 'SharedState'

/** Times are texts of 13 digits, milliseconds since 1970: databases differ in how exact their dates are, and in the range of numbers. */
const entryModel: ModelDefinition = {
  name: entryModelName,
  forceId: false,
  properties: {
    id: { type: 'string', id: true, length: 191 },
    value: { type: 'string', length: 255, required: true },
    until: { type: 'string', length: 13, required: true, index: true }
  }
}

/** The text of a time. @param time milliseconds since 1970 */
const timeText = (time: number): string => String(Math.min(Math.ceil(time), 9_999_999_999_999)).padStart(13, '0')

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
      `the data source "${dataSource}" cannot store the shared state: it does not support atomic conditional updates`,
      { key: 'sharedState' }
    )
  return collection
}

interface Entries {
  readonly model: ModelType
  readonly collection: Collection
  /** Runs work outside of the caller's transaction: counts remain if that is rolled back. */
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
function dataSourceStore(registry: Registry, dataSource: string): SharedStore {
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

/**
 * Sets the shared state of an application's processes: a store, or the name of one of its data sources.
 * @throws {UnknownDataSource} there is none of this name
 * @throws {InvalidOption} the data source cannot keep the shared state
 */
export function useSharedState(registry: SharingRegistry, option: string | SharedStore | undefined): void {
  if (option === undefined) return
  const { shared } = registry
  const store = typeof option === 'string' ? dataSourceStore(registry, option) : option
  shared.use(store)
  registry.addHealthCheck({ kind: 'sharedState', name: store.name, check: () => shared.check() })
  if (store.purge !== undefined) registry.addPurge({ name: 'shared state', run: () => shared.purge() })
}
