import { DataSourceUnavailable } from '@modelwire/core'
import {
  allOperations,
  type Collection,
  type Connector,
  type ConnectorCapabilities,
  type MigrationPlan,
  type ModelType
} from '@modelwire/core/connector'
import { openDataFile, type DataFile } from './file/open-data-file.ts'
import { createCollection, type FindDataFile } from './memory-collection.ts'
import type { ReadSettings } from './settings.ts'
import { createTable, emptyTable, type Table } from './table/table.ts'

/** LB3: records are kept by the name of their model, which code may define again. */
const shareRecords = (former: ModelType, model: ModelType): boolean =>
  former.name === model.name &&
  former.registry === model.registry &&
  former.idProperty?.name === model.idProperty?.name &&
  former.idProperty?.type.kind === model.idProperty?.type.kind

/** A database in memory, persisted in a file if the settings name one. */
export class MemoryConnector implements Connector {
  readonly name = 'memory'
  readonly capabilities: ConnectorCapabilities
  readonly #settings: ReadSettings
  readonly #tables: Table[] = []
  readonly #collections = new Map<ModelType, Collection>()
  #opening: Promise<DataFile> | undefined
  #dataFile: DataFile | undefined
  #isClosed = false

  constructor(settings: ReadSettings) {
    this.#settings = settings
    this.capabilities = {
      operations: new Set([...allOperations, 'findRelated', 'aggregate', 'patch']),
      generatedIdType: 'number',
      ignoresDatesInLists: true,
      countsTextIds: true,
      compositeIds: true,
      storesUndeclared: true,
      findsOrCreates: true,
      upsertsWithWhere: true,
      transactions: settings.transactions,
      locks: settings.transactions
    }
  }

  collection(model: ModelType): Collection {
    const cached = this.#collections.get(model)
    if (cached !== undefined) return cached
    const shared = this.#tables.find((table) => shareRecords(table.model, model))
    const records = shared && this.#collections.get(shared.model)
    if (shared !== undefined && records !== undefined) {
      shared.model = model
      this.#collections.set(model, records)
      return records
    }
    const table = createTable(model)
    const collection = this.createCollection(table, () => this.#dataFile)
    const opened = this.#settings.file === undefined ? collection : openFirst(collection, () => this.#open(table))
    this.#tables.push(table)
    this.#collections.set(model, opened)
    return opened
  }

  /**
   * Reads the file, unless an operation has already done so.
   * @throws {DataFileLocked} another connector has it open
   * @throws {DataFileBroken} it is damaged; it is left as it is
   * @throws {DataFileUnusable} it cannot be read or written
   */
  async connect(): Promise<void> {
    if (this.#settings.file === undefined) return
    this.#isClosed = false
    try {
      const dataFile = await this.#openFile(this.#settings.file)
      for (const table of this.#tables) dataFile.attach(table)
    } catch (error) {
      await this.#release((dataFile) => dataFile.abandon())
      throw error
    }
  }

  /** Turns the journal into a snapshot, unless it is a small part of a large file, and releases the file. */
  async disconnect(): Promise<void> {
    this.#isClosed = this.#settings.file !== undefined
    await this.#release((dataFile) => dataFile.close())
  }

  /** Resolves at once: memory is always available. */
  async ping(): Promise<void> {}

  /** With `empty`, removes the records. Generated ids start over unless a file remembers them, as in LoopBack. */
  async migrate(models: readonly ModelType[], { empty }: { readonly empty: boolean }): Promise<MigrationPlan> {
    if (empty) await this.#clear(models)
    return { steps: [], notes: [] }
  }

  async #clear(models: readonly ModelType[]): Promise<void> {
    for (const model of models) await this.collection(model).delete(undefined)
    if (this.#settings.file !== undefined) return
    for (const table of this.#tables.filter((one) => models.includes(one.model))) emptyTable(table)
  }

  /** Makes the collection of a table whose file is open. */
  protected createCollection(table: Table, dataFile: FindDataFile): Collection {
    return createCollection(table, dataFile)
  }

  /** Resolves when the file, if there is one, has been read. */
  protected async openTables(): Promise<void> {
    if (this.#settings.file !== undefined) for (const table of this.#tables) await this.#open(table)
  }

  #open(table: Table): Promise<void> | undefined {
    return this.#dataFile?.holds(table) === true ? undefined : this.#attach(table)
  }

  async #attach(table: Table): Promise<void> {
    if (this.#isClosed) throw new DataSourceUnavailable('the data source is disconnected')
    const dataFile = await this.#openFile(this.#settings.file ?? '')
    dataFile.attach(table)
  }

  async #openFile(file: string): Promise<DataFile> {
    this.#opening ??= openDataFile(file, this.#settings)
    this.#dataFile = await this.#opening
    return this.#dataFile
  }

  /** Empties the tables: the next connection reads them again. */
  async #release(end: (dataFile: DataFile) => Promise<void>): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    const [opened] = await Promise.allSettled([opening])
    this.#dataFile = undefined
    if (opened.status !== 'fulfilled' || opened.value === undefined) return
    await end(opened.value)
    for (const table of this.#tables) emptyTable(table)
  }
}

/**
 * A wrapper of the collection whose operations first await `open`. Scripts of an application use models before the
 * server is ready, when the file is not read yet.
 */
function openFirst(collection: Collection, open: () => Promise<void> | undefined): Collection {
  return {
    find: async (filter) => (await open(), collection.find(filter)),
    findById: async (id) => (await open(), collection.findById(id)),
    findRelated: async (query) => (await open(), collection.findRelated?.(query)),
    count: async (where) => (await open(), collection.count(where)),
    aggregate: async (query) => (await open(), collection.aggregate?.(query)),
    insert: async (rows) => (await open(), collection.insert(rows)),
    update: async (where, patch) => (await open(), collection.update(where, patch)),
    patch: async (where, patch) => (await open(), collection.patch?.(where, patch)),
    upsert: async (row, defaults) => (await open(), collection.upsert(row, defaults)),
    replace: async (id, row, where) => (await open(), collection.replace(id, row, where)),
    delete: async (where) => (await open(), collection.delete(where))
  }
}
