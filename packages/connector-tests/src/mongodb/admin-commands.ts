import { CommandFailed } from './command-failed.ts'
import type { Answer, Command, Congo } from './load-congo.ts'
import { StoredCollection, type StoredIndex } from './stored-collection.ts'
import type { CollectionOf } from './write-commands.ts'

type Perform = (command: Command) => Answer

/** The collections of all databases of the server. */
export class StoredDatabases {
  readonly #congo: Congo
  readonly #databases = new Map<string, Map<string, StoredCollection>>()

  constructor(congo: Congo) {
    this.#congo = congo
  }

  readonly collectionOf: CollectionOf = ({ database }, name) => {
    const collections = this.in(database)
    const known = collections.get(String(name))
    const collection = known ?? new StoredCollection(this.#congo, `${database}.${String(name)}`)
    collections.set(String(name), collection)
    return collection
  }

  in(database: string): Map<string, StoredCollection> {
    const known = this.#databases.get(database) ?? new Map<string, StoredCollection>()
    this.#databases.set(database, known)
    return known
  }
}

/** The commands that make and remove collections and indexes. */
export function adminCommands(congo: Congo, databases: StoredDatabases): Readonly<Record<string, Perform>> {
  const { collectionOf } = databases
  const found = (each: Command, name: unknown): StoredCollection => {
    const collection = databases.in(each.database).get(String(name))
    if (collection === undefined) throw new CommandFailed('ns not found', 26, 'NamespaceNotFound')
    return collection
  }
  const listing = (database: string, documents: readonly object[]): Answer => ({
    ok: 1,
    cursor: { id: congo.bson.Long.fromNumber(0), ns: `${database}.$cmd`, firstBatch: documents }
  })
  return {
    create: (each) => {
      const { create: name, validator, validationLevel, validationAction } = each.command
      if (databases.in(each.database).has(String(name)))
        throw new CommandFailed('Collection already exists.', 48, 'NamespaceExists')
      collectionOf(each, name).options = said({ validator, validationLevel, validationAction })
      return { ok: 1 }
    },
    collMod: (each) => {
      const { collMod: name, validator, validationLevel, validationAction } = each.command
      found(each, name).options = said({ validator, validationLevel, validationAction })
      return { ok: 1 }
    },
    drop: (each) => {
      found(each, each.command['drop'])
      databases.in(each.database).delete(String(each.command['drop']))
      return { ok: 1 }
    },
    dropDatabase: ({ database }) => {
      databases.in(database).clear()
      return { ok: 1, dropped: database }
    },
    listCollections: ({ database, command }) => {
      const { name: wanted } = Object(command['filter'] ?? {})
      const all = [...databases.in(database)].filter(([name]) => wanted === undefined || wanted === name)
      return listing(
        database,
        all.map(([name, { options }]) => ({ name, type: 'collection', options, info: { readOnly: false } }))
      )
    },
    createIndexes: (each) => {
      const collection = collectionOf(each, each.command['createIndexes'])
      // The protocol says that there is a list of indexes.
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

const said = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
