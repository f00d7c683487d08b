import { allOperations } from '@modelwire/core'
import type { Collection, Connector, ConnectorCapabilities, ModelType } from '@modelwire/core'
import { openDataFile } from './file/open-data-file.ts'
import type { DataFile } from './file/open-data-file.ts'
import { createCollection } from './memory-collection.ts'
import type { MemorySettings } from './settings.ts'
import { createTable } from './table/table.ts'
import type { Table } from './table/table.ts'

/** A database in memory, kept in a file when the settings name one. */
export class MemoryConnector implements Connector {
  readonly name = 'memory'
  readonly capabilities: ConnectorCapabilities = {
    operations: allOperations,
    generatedIdType: 'number',
    storesUndeclared: true,
    transactions: false
  }
  readonly #settings: MemorySettings
  readonly #tables: Table[] = []
  readonly #collections = new Map<ModelType, Collection>()
  #dataFile: DataFile | undefined

  constructor(settings: MemorySettings) {
    this.#settings = settings
  }

  collection(model: ModelType): Collection {
    const known = this.#collections.get(model)
    if (known !== undefined) return known
    const table = createTable(model)
    const collection = createCollection(table, () => this.#dataFile)
    this.#tables.push(table)
    this.#collections.set(model, collection)
    return collection
  }

  /**
   * Reads the file.
   * @throws {DataFileLocked} another connector has it open
   * @throws {DataFileBroken} it is damaged; it is left as it is
   * @throws {DataFileUnusable} it cannot be read or written
   */
  async connect(): Promise<void> {
    const { file, sync = false } = this.#settings
    if (file !== undefined) this.#dataFile = await openDataFile(file, sync, this.#tables)
  }

  /** Turns the journal into a snapshot and gives the file free. */
  async disconnect(): Promise<void> {
    const dataFile = this.#dataFile
    this.#dataFile = undefined
    await dataFile?.close()
  }

  /** Resolves at once: memory always answers. */
  async ping(): Promise<void> {}
}
