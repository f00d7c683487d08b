import { type ModelDefinition, ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { installRelations } from '@modelwire/relations'
import t from 'tap'

const counted = { type: 'number', id: true, generated: true }

const definitions: readonly ModelDefinition[] = [
  {
    name: 'Author',
    properties: { id: counted, fans: 'number' },
    relations: {
      books: { type: 'hasMany', model: 'Book' },
      notes: { type: 'hasMany', model: 'Note', polymorphic: 'target' },
      prizes: { type: 'hasAndBelongsToMany', model: 'Prize' }
    }
  },
  { name: 'Book', properties: { id: counted, pages: 'number' } },
  {
    name: 'Loan',
    properties: {
      id: counted,
      bookId: 'number',
      typedId: { type: 'number', postgresql: { dataType: 'BIGINT' } },
      textId: 'string',
      codeId: 'number'
    },
    relations: {
      book: { type: 'belongsTo', model: 'Book' },
      typed: { type: 'belongsTo', model: 'Book' },
      text: { type: 'belongsTo', model: 'Book' },
      code: { type: 'belongsTo', model: 'Chosen' }
    }
  },
  { name: 'Note', properties: { id: counted, text: 'string' } },
  { name: 'Prize', properties: { id: { type: 'string', id: true, generated: true } } },
  { name: 'Chosen', properties: { id: { type: 'number', id: true } } }
]

const expected: Readonly<Record<string, string>> = {
  'author.fans': 'double precision',
  'authorprize.authorid': 'integer',
  'authorprize.prizeid': 'text',
  'book.authorid': 'integer',
  'book.pages': 'double precision',
  'loan.bookid': 'integer',
  'loan.codeid': 'double precision',
  'loan.textid': 'text',
  'loan.typedid': 'bigint',
  'note.targetid': 'double precision'
}

void t.test('keys of relations have the type of the ids that the database counts', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const registry = new ModelRegistry()
  t.teardown(() => registry.disconnect())
  const connector = postgresql({ url: database.url })
  registry.addDataSource('db', connector)
  for (const definition of definitions) registry.define(definition)
  for (const { name } of definitions) registry.attach(name, 'db')
  installRelations(registry).complete()
  registry.attach('AuthorPrize', 'db')
  const models = [...definitions.map(({ name }) => name), 'AuthorPrize'].map((name) => registry.typeOf(name))
  await connector.migrate?.(models, { empty: true })
  const [found] = await runOn(
    database.url,
    "select table_name || '.' || column_name as name, data_type as type from information_schema.columns where table_schema = 'public'"
  )
  const types = Object.fromEntries((found?.rows ?? []).map(({ name, type }) => [String(name), String(type)]))
  t.match(types, expected)
  const [Author, Book] = [registry.get('Author'), registry.get('Book')]
  const ann = await Author.create({})
  await Book.create({ authorId: ann['id'], pages: 1.5 })
  t.match(await Book.findOne({ where: { authorId: ann['id'] } }), { authorId: ann['id'], pages: 1.5 })
  t.equal(await Book.count({ authorId: 1.5 }), 0)
  await t.rejects(Book.create({ authorId: 1.5 }), { code: 'NUMBER_NOT_EXACT', statusCode: 422 })
})
