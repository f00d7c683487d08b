import type { ChangeHistory, StoredChange } from './change-history.ts'
import { CommandFailed } from './command-failed.ts'
import { type Answer, type Command, type Congo, partOf } from './load-congo.ts'
import { StoredCollection, type StoredIndex } from './stored-collection.ts'
import type { CollectionOf } from './write-commands.ts'

type Perform = (command: Command) => Answer

/** The collections of all databases of the server. */
export class StoredDatabases {
  readonly #congo: Congo
  readonly #databases = new Map<string, Map<string, StoredCollection>>()
  /** Their changes, where the server is a replica set. */
  readonly history: ChangeHistory | undefined

  constructor(congo: Congo, history?: ChangeHistory) {
    this.#congo = congo
    this.history = history
  }

  readonly collectionOf: CollectionOf = ({ database }, name) => {
    const collections = this.in(database)
    const cached = collections.get(String(name))
    const { history } = this
    const record = history && ((change: StoredChange): void => history.record(database, change))
    const collection = cached ?? new StoredCollection(this.#congo, `${database}.${String(name)}`, record)
    collections.set(String(name), collection)
    return collection
  };

  in(database: string): Map<string, StoredCollection> {
    const cached = this.#databases.get(database) ?? new Map<string, StoredCollection>()
    this.#databases.set(database, cached)
    return cached
  }
}

/** The commands that make and remove collections and indexes. */
export function adminCommands(congo: Congo, databases: StoredDatabases): Readonly<Record<string, Perform>> {
  const found = (each: Command, name: unknown): StoredCollection => {
    const collection = databases.in(each.database).get(String(name))
    if (collection === undefined) throw new CommandFailed('ns not found', 26, 'NamespaceNotFound')
    return collection
  }
  const listing = (database: string, documents: readonly object[]): Answer => ({
    ok: 1,
    cursor: { id: congo.bson.Long.fromNumber(0), ns: `${database}.$cmd`, firstBatch: documents }
  })
  return { ...collectionCommands(databases, found, listing), ...indexCommands(databases, found, listing) }
}

type Found = (each: Command, name: unknown) => StoredCollection
type Listing = (database: string, documents: readonly object[]) => Answer

function collectionCommands(
  databases: StoredDatabases,
  found: Found,
  listing: Listing
): Readonly<Record<string, Perform>> {
  return {
    create: (each) => {
      const { create: name } = each.command
      if (databases.in(each.database).has(String(name)))
        throw new CommandFailed('Collection already exists.', 48, 'NamespaceExists')
      databases.collectionOf(each, name).options = optionsOf(each)
      return { ok: 1 }
    },
    collMod: (each) => {
      const collection = found(each, each.command['collMod'])
      collection.options = { ...collection.options, ...optionsOf(each) }
      return { ok: 1 }
    },
    drop: (each) => {
      found(each, each.command['drop'])
      databases.in(each.database).delete(String(each.command['drop']))
      return { ok: 1 }
    },
    dropDatabase: ({ database }) => {
      databases.in(database).clear()
      databases.history?.drop(database)
      return { ok: 1, dropped: database }
    },
    listCollections: ({ database, command }) => {
      const { name: wanted } = partOf(command['filter'])
      const all = [...databases.in(database)].filter(([name]) => wanted === undefined || wanted === name)
      return listing(
        database,
        all.map(([name, { options }]) => ({ name, type: 'collection', options, info: { readOnly: false } }))
      )
    }
  }
}

function indexCommands(databases: StoredDatabases, found: Found, listing: Listing): Readonly<Record<string, Perform>> {
  return {
    createIndexes: (each) => {
      const collection = databases.collectionOf(each, each.command['createIndexes'])
      // By the protocol, there is a list of indexes.
      for (const index of each.command['indexes'] as StoredIndex[]) collection.addIndex({ v: 2, ...index })
      return { ok: 1 }
    },
    dropIndexes: (each) => {
      const collection = found(each, each.command['dropIndexes'])
      collection.indexes = collection.indexes.filter(({ name }) => name !== each.command['index'])
      return { ok: 1 }
    },
    listIndexes: (each) => listing(each.database, found(each, each.command['listIndexes']).indexes)
  }
}

const optionNames = ['collation', 'validator', 'validationLevel', 'validationAction', 'changeStreamPreAndPostImages']

function optionsOf({ command }: Command): Record<string, unknown> {
  const options = Object.fromEntries(optionNames.map((name) => [name, command[name]]))
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
