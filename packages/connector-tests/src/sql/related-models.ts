import { type ModelClass, type ModelDefinition, ModelRegistry } from '@modelwire/core'
import type { Connector, ModelType, Row } from '@modelwire/core/connector'
import { installRelations } from '@modelwire/relations'
import type { Test } from 'tap'

const id = { type: 'number', id: true }

/**
 * Authors with mentors among themselves, their books on shelves, and subjects of books: every kind of relation that leads to
 * another table, with keys that are numbers and texts.
 */
const definitions: readonly ModelDefinition[] = [
  {
    name: 'RelAuthor',
    strict: true,
    properties: { id, name: 'string', age: 'number', secret: { type: 'string', hidden: true } },
    hidden: ['secret'],
    relations: {
      mentor: { type: 'belongsTo', model: 'RelAuthor', foreignKey: 'mentorId' },
      pupils: { type: 'hasMany', model: 'RelAuthor', foreignKey: 'mentorId' },
      books: { type: 'hasMany', model: 'RelBook', foreignKey: 'authorId' },
      shortBooks: {
        type: 'hasMany',
        model: 'RelBook',
        foreignKey: 'authorId',
        scope: { where: { pages: { lt: 20 } } }
      },
      firstBook: { type: 'hasMany', model: 'RelBook', foreignKey: 'authorId', scope: { order: 'id', limit: 1 } },
      desk: { type: 'hasOne', model: 'RelDesk', foreignKey: 'authorId' },
      favorites: { type: 'referencesMany', model: 'RelBook', foreignKey: 'favoriteIds' },
      shelves: { type: 'referencesMany', model: 'RelShelf', foreignKey: 'shelfCodes' }
    }
  },
  {
    name: 'RelBook',
    strict: true,
    properties: { id, name: 'string', pages: 'number', seen: 'number' },
    relations: {
      author: { type: 'belongsTo', model: 'RelAuthor', foreignKey: 'authorId' },
      shelf: { type: 'belongsTo', model: 'RelShelf', foreignKey: 'shelfCode' },
      subjects: { type: 'hasAndBelongsToMany', model: 'RelSubject' },
      readers: {
        type: 'hasMany',
        model: 'RelAuthor',
        through: 'RelLoan',
        foreignKey: 'bookId',
        keyThrough: 'readerId'
      }
    }
  },
  {
    name: 'RelDraft',
    strict: true,
    properties: { id },
    relations: { parts: { type: 'embedsMany', model: 'RelPart', property: 'partList' } }
  },
  {
    name: 'RelPart',
    strict: true,
    properties: { id, title: 'string' },
    relations: { writer: { type: 'belongsTo', model: 'RelAuthor', foreignKey: 'writerId' } }
  },
  { name: 'RelDesk', properties: { id, name: 'string', authorId: 'number' } },
  {
    name: 'RelSubject',
    properties: { id, name: 'string' },
    relations: { books: { type: 'hasAndBelongsToMany', model: 'RelBook' } }
  },
  {
    name: 'RelLoan',
    properties: { id, days: 'number', bookId: 'number', readerId: 'number' },
    relations: {
      book: { type: 'belongsTo', model: 'RelBook', foreignKey: 'bookId' },
      reader: { type: 'belongsTo', model: 'RelAuthor', foreignKey: 'readerId' }
    }
  }
]

/** Its table and its columns have names of other things. */
function shelf(mappingKey: string): ModelDefinition {
  return {
    name: 'RelShelf',
    properties: {
      code: { type: 'string', id: true, [mappingKey]: { columnName: 'the "code`' } },
      name: { type: 'string', [mappingKey]: { columnName: 'pages' } }
    },
    [mappingKey]: { table: `a "shelf' of \`books` },
    scope: { where: { name: { neq: 'gone' } } },
    relations: { books: { type: 'hasMany', model: 'RelBook', foreignKey: 'shelfCode' } }
  }
}

/** What the tables hold at first. */
export const relatedRecords: Readonly<Record<string, Row[]>> = {
  RelAuthor: [
    { id: 1, name: 'Ann', age: 30, mentorId: null, favoriteIds: [1, 4], shelfCodes: ['a'] },
    { id: 2, name: 'Bob', age: 40, mentorId: 1, favoriteIds: [2], shelfCodes: ['b', 'x'] },
    { id: 3, name: 'Cy', age: null, mentorId: 1, favoriteIds: [], shelfCodes: [] },
    { id: 4, name: null, age: 20, mentorId: 3, favoriteIds: [99], shelfCodes: ['nowhere'] },
    { id: 5, name: 'Eve', age: 50, mentorId: 5, favoriteIds: [1, 2, 3], shelfCodes: ['1', ''] }
  ],
  RelBook: [
    { id: 1, name: 'one', pages: 10, authorId: 1, shelfCode: 'a' },
    { id: 2, name: 'two', pages: 20, authorId: 1, shelfCode: 'b' },
    { id: 3, name: 'three', pages: 30, authorId: 2, shelfCode: 'a' },
    { id: 4, name: 'four', pages: null, authorId: 3, shelfCode: null },
    { id: 5, name: 'Ann', pages: 15, authorId: null, shelfCode: 'x' },
    { id: 6, name: null, pages: 15, authorId: 99, shelfCode: '' },
    { id: 7, name: 'Ann', pages: 40, authorId: 5, shelfCode: 'A' }
  ],
  RelDesk: [
    { id: 1, name: 'oak', authorId: 1 },
    { id: 2, name: 'elm', authorId: 5 },
    { id: 3, name: 'oak', authorId: null }
  ],
  RelShelf: [
    { code: 'a', name: 'Ann' },
    { code: 'b', name: null },
    { code: 'x', name: 'gone' },
    { code: '', name: 'nameless' },
    { code: '1', name: 'number' }
  ],
  RelDraft: [
    {
      id: 1,
      partList: [
        { id: 1, title: 'x', writerId: 2 },
        { id: 2, writerId: 1 }
      ]
    },
    { id: 2, partList: [{ id: 1, title: 'y', writerId: 3 }] },
    { id: 3, partList: [] }
  ],
  RelPart: [],
  RelSubject: [
    { id: 1, name: 'art' },
    { id: 2, name: 'law' },
    { id: 3, name: null }
  ],
  RelSubjectRelBook: [
    { id: 1, relBookId: 1, relSubjectId: 1 },
    { id: 2, relBookId: 1, relSubjectId: 2 },
    { id: 3, relBookId: 3, relSubjectId: 1 },
    { id: 4, relBookId: 7, relSubjectId: 3 },
    { id: 5, relBookId: null, relSubjectId: 1 },
    { id: 6, relBookId: 4, relSubjectId: null }
  ],
  RelLoan: [
    { id: 1, days: 3, bookId: 1, readerId: 2 },
    { id: 2, days: 5, bookId: 2, readerId: 2 },
    { id: 3, days: 7, bookId: 2, readerId: 5 },
    { id: 4, days: 9, bookId: 4, readerId: null }
  ]
}

/** The models above in a database, filled. */
export interface RelatedDatabase {
  readonly registry: ModelRegistry
  readonly model: (name: string) => ModelClass
  /** Fills the tables anew. */
  readonly fill: () => Promise<void>
}

/** Opens the models in a database, fills them, and closes them with the test. */
export async function openRelated(t: Test, connector: Connector, mappingKey: string): Promise<RelatedDatabase> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  const all = [...definitions, shelf(mappingKey)]
  for (const definition of all) registry.define(definition)
  for (const { name } of all) registry.attach(name, 'db')
  installRelations(registry).complete()
  t.teardown(() => registry.disconnect())
  await registry.connect()
  const types: ModelType[] = Object.keys(relatedRecords).map((name) => registry.typeOf(name))
  await connector.migrate?.(types, { empty: true })
  const fill = async (): Promise<void> => {
    for (const { collection, name } of types) {
      await collection?.delete(undefined)
      const rows = structuredClone(relatedRecords[name] ?? [])
      if (rows.length > 0) await collection?.insert(rows)
    }
  }
  await fill()
  return { registry, model: (name) => registry.get(name), fill }
}
