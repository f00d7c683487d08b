import { isDeepStrictEqual } from 'node:util'
import type { StoredChange } from './change-history.ts'
import { CommandFailed } from './command-failed.ts'
import { type Congo, partOf, type StoredDocument } from './load-congo.ts'
import { compileQuery } from './match-documents.ts'

/** An index as `listIndexes` shows it. */
export interface StoredIndex {
  readonly name: string
  readonly key: Readonly<Record<string, unknown>>
  readonly unique?: boolean
  readonly sparse?: boolean
  readonly partialFilterExpression?: object
  readonly [option: string]: unknown
}

/** Keeps a change. */
export type RecordChange = (change: StoredChange) => void

const largestDocument = 16 * 1024 * 1024

/** The documents of one collection, with ids of any type and unique indexes. */
export class StoredCollection {
  readonly #congo: Congo
  readonly #namespace: string
  readonly #record: RecordChange | undefined
  #documents = new Map<string, StoredDocument>()
  indexes: StoredIndex[] = [{ v: 2, name: '_id_', key: { _id: 1 } }]
  options: Readonly<Record<string, unknown>> = {}

  /** @param record called with each change, where the server keeps them */
  constructor(congo: Congo, namespace: string, record?: RecordChange) {
    this.#congo = congo
    this.#namespace = namespace
    this.#record = record
  }

  all(): StoredDocument[] {
    return [...this.#documents.values()]
  }

  /** Those that match a query document. */
  matching(query: object, order: object = {}): StoredDocument[] {
    const found = this.#candidates(query).filter(compileQuery(this.#congo, query, this.#ignoresCase))
    return Object.keys(order).length === 0 ? found : this.#sorted(found, order)
  }

  /**
   * Those that a query can match: not all of them where it queries one ObjectId, to which nothing of another type is
   * equal.
   */
  #candidates(query: object): StoredDocument[] {
    const { _id: test } = partOf(query)
    const id = partOf(test)['$eq'] ?? test
    if (!(id instanceof this.#congo.bson.ObjectId)) return this.all()
    const document = this.#documents.get(this.#keyOf(id))
    return document === undefined ? [] : [document]
  }

  #sorted(documents: readonly StoredDocument[], order: object): StoredDocument[] {
    return new this.#congo.mingo.Aggregator([{ $sort: order }], {}).run(documents)
  }

  insert(document: StoredDocument): void {
    const { _id: id = new this.#congo.bson.ObjectId(), ...rest } = document
    const stored = this.#copy({ _id: id, ...rest })
    const key = this.#keyOf(id)
    if (this.#documents.has(key)) throw this.#duplicate({ name: '_id_', key: { _id: 1 } }, { _id: id })
    this.#checkUnique(stored, key)
    this.#documents.set(key, stored)
    this.#tell('insert', id, undefined, stored)
  }

  /** Puts another document of the same id in place of one. */
  replace(document: StoredDocument): void {
    const stored = this.#copy(document)
    const key = this.#keyOf(document['_id'])
    this.#checkUnique(stored, key)
    const before = this.#documents.get(key)
    this.#documents.set(key, stored)
    if (!isDeepStrictEqual(before, stored)) this.#tell('update', document['_id'], before, stored)
  }

  remove(document: StoredDocument): void {
    const { _id: id } = document
    if (this.#documents.delete(this.#keyOf(id))) this.#tell('delete', id, document, undefined)
  }

  #tell(operation: StoredChange['operation'], id: unknown, before?: StoredDocument, after?: StoredDocument): void {
    const [, ...name] = this.#namespace.split('.')
    const hasImages = partOf(this.options['changeStreamPreAndPostImages'])['enabled'] === true
    const lookUp = (): StoredDocument | undefined => this.#documents.get(this.#keyOf(id))
    this.#record?.({ collection: name.join('.'), operation, id, before, after, lookUp, hasImages })
  }

  /** @throws {CommandFailed} documents that are there already have one value twice */
  addIndex(index: StoredIndex): void {
    const same = this.indexes.find(({ name }) => name === index.name)
    if (same !== undefined && !isSameIndex(same, index))
      throw new CommandFailed('an existing index has the same name', 86, 'IndexKeySpecsConflict')
    if (same !== undefined) return
    this.indexes.push(index)
    try {
      for (const document of this.all()) this.#checkUnique(document, this.#keyOf(document['_id']))
    } catch (error) {
      this.indexes = this.indexes.filter((each) => each !== index)
      throw error
    }
  }

  /** A document that shares nothing with another one. */
  #copy(document: StoredDocument): StoredDocument {
    const { bson } = this.#congo
    const bytes = bson.serialize(document)
    if (bytes.byteLength > largestDocument)
      throw new CommandFailed('object to insert too large', 10334, 'BSONObjectTooLarge')
    return bson.deserialize(bytes)
  }

  /** Of all collations the server has those that ignore case, to equality. */
  get #ignoresCase(): boolean {
    return Number(partOf(this.options['collation'])['strength'] ?? 3) < 3
  }

  #keyOf(value: unknown): string {
    const id = this.#ignoresCase && typeof value === 'string' ? value.toLowerCase() : value
    return Buffer.from(this.#congo.bson.serialize({ id })).toString('hex')
  }

  #checkUnique(document: StoredDocument, key: string): void {
    for (const index of this.indexes) {
      if (index.unique !== true || !this.#isIndexed(document, index)) continue
      const values = Object.keys(index.key).map((path) => valueAt(document, path))
      const wanted = this.#keyOf(values)
      const same = [...this.#documents].find(
        ([otherKey, other]) =>
          otherKey !== key &&
          this.#isIndexed(other, index) &&
          this.#keyOf(Object.keys(index.key).map((path) => valueAt(other, path))) === wanted
      )
      if (same !== undefined)
        throw this.#duplicate(index, Object.fromEntries(Object.keys(index.key).map((path, at) => [path, values[at]])))
    }
  }

  #isIndexed(document: StoredDocument, { sparse, partialFilterExpression: filter, key }: StoredIndex): boolean {
    if (sparse === true && Object.keys(key).every((path) => valueAt(document, path) === undefined)) return false
    return filter === undefined || compileQuery(this.#congo, filter)(document)
  }

  #duplicate({ name, key }: StoredIndex, keyValue: object): CommandFailed {
    const message = `E11000 duplicate key error collection: ${this.#namespace} index: ${name} dup key: ${JSON.stringify(keyValue)}`
    return new CommandFailed(message, 11000, 'DuplicateKey', { keyPattern: key, keyValue })
  }
}

/** The order of the keys counts, and not that in which drivers send the options. */
function isSameIndex(one: StoredIndex, other: StoredIndex): boolean {
  return isDeepStrictEqual(one, other) && JSON.stringify(one.key) === JSON.stringify(other.key)
}

function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const step of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
  return value
}
