import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import type { ModelDefinition } from '@modelwire/core'
import t, { type Test } from 'tap'
import { ask, classesOf, type JsonServer, listOf, startJsonServer } from './fixtures/json-servers.ts'

const models: readonly ModelDefinition[] = [
  {
    name: 'Author',
    public: true,
    properties: { name: 'string', secret: 'string' },
    hidden: ['secret'],
    relations: {
      books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' },
      agent: { type: 'hasOne', model: 'Agent', foreignKey: 'authorId' },
      best: { type: 'hasOne', model: 'Book', foreignKey: 'authorId', scope: { order: ['rank DESC', 'key'] } },
      genres: { type: 'hasMany', model: 'Genre', through: 'Link', foreignKey: 'authorId', keyThrough: 'genreId' },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' },
      readers: { type: 'hasMany', model: 'Reader', foreignKey: 'authorId' },
      photo: {
        type: 'hasOne',
        model: 'Photo',
        polymorphic: { as: 'shown', foreignKey: 'shownId', discriminator: 'shownType' }
      }
    }
  },
  {
    name: 'Book',
    public: true,
    // Names that the statement has uses of its own for.
    properties: {
      key: 'string',
      json: 'string',
      value: 'string',
      place: 'number',
      text: 'string',
      rank: 'number',
      authorId: 'number'
    },
    relations: {
      author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' },
      photos: {
        type: 'hasMany',
        model: 'Photo',
        polymorphic: { as: 'shown', foreignKey: 'shownId', discriminator: 'shownType' }
      }
    }
  },
  {
    name: 'Agent',
    public: true,
    properties: { phone: 'string', note: 'string', authorId: 'number' },
    protected: ['note']
  },
  {
    name: 'Genre',
    public: true,
    properties: { label: 'string', rank: 'number' },
    relations: {
      authors: { type: 'hasMany', model: 'Author', through: 'Link', foreignKey: 'genreId', keyThrough: 'authorId' }
    }
  },
  {
    name: 'Link',
    public: true,
    properties: { active: 'boolean', authorId: 'number', genreId: 'number' },
    scope: { where: { active: true } }
  },
  {
    name: 'Tag',
    public: true,
    properties: { label: 'string' },
    relations: { authors: { type: 'hasAndBelongsToMany', model: 'Author' } }
  },
  {
    name: 'Reader',
    public: true,
    properties: { name: 'string', authorId: 'number' },
    relations: {
      author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' },
      liked: { type: 'referencesMany', model: 'Book', foreignKey: 'likedIds' }
    }
  },
  { name: 'Photo', public: true, properties: { file: 'string', shownId: 'number', shownType: 'string' } }
]

async function fill(server: JsonServer): Promise<void> {
  const { Author, Book, Agent, Genre, Link, Tag, TagAuthor, Photo, Reader } = classesOf(server)
  for (const [at, name] of ['Ann "A"', 'Bob', 'Cy', 'Di'].entries()) {
    await Author?.create({ name, secret: 's' })
    await Reader?.create({ name, authorId: (at % 2) + 1, likedIds: likedIds[at] })
  }
  for (let at = 0; at < 12; at++) {
    const rank = [3, 1, null, 2][at % 4]
    await Book?.create({
      key: `k${at % 3}`,
      json: '{}',
      place: at,
      text: `t\n${at}`,
      rank,
      authorId: [1, 2, 1, 9, null][at % 5]
    })
    await Photo?.create({ file: `f${at}`, shownId: (at % 4) + 1, shownType: at % 3 === 0 ? 'Author' : 'Book' })
  }
  for (const authorId of [2, 1, 1, null]) await Agent?.create({ phone: `p${authorId}`, note: 'n', authorId })
  for (const [at, label] of ['x', 'y', 'z', 'y'].entries()) await Genre?.create({ label, rank: at % 2 })
  const links = [
    [1, 3, true],
    [1, 1, true],
    [1, 1, true],
    [2, 4, false],
    [2, 2, true],
    [3, 99, true],
    [null, 1, true],
    [1, 4, true]
  ] as const
  for (const [authorId, genreId, active] of links) await Link?.create({ authorId, genreId, active })
  for (const label of ['red', 'blue']) await Tag?.create({ label })
  for (const [authorId, tagId] of [
    [1, 2],
    [1, 1],
    [3, 2]
  ])
    await TagAuthor?.create({ authorId, tagId })
}

/** One key leads nowhere; where there is no list, there is an empty one. */
const likedIds = [[7, 2, 99, 1], undefined, [3, 1], [12]]

const scoped = (relation: string, scope: object): object => ({ include: { relation, scope } })

/** Lists that the database writes by one statement. */
const cases: readonly (readonly [string, object])[] = [
  ['Authors', { include: 'agent' }],
  ['Authors', { include: ['agent', 'best', 'books', 'photo'], order: 'name DESC', limit: 3, skip: 1 }],
  ['Authors', scoped('agent', { order: 'phone DESC', fields: ['phone'] })],
  ['Authors', scoped('best', { where: { rank: { lt: 3 } }, include: 'photos' })],
  ['Authors', scoped('photo', { order: 'file DESC' })],
  ['Books', { include: ['author', 'photos'] }],
  ['Books', { include: { author: ['agent', 'genres'] } }],
  ['Books', scoped('author', { include: { relation: 'books', scope: { include: 'photos', order: 'key' } } })],
  ['Authors', { include: 'genres' }],
  ['Authors', { include: ['genres', 'tags'] }],
  ['Authors', scoped('genres', { order: 'label DESC', where: { label: { neq: 'x' } } })],
  ['Authors', scoped('genres', { fields: ['label'], include: { authors: 'books' } })],
  ['Genres', { include: { relation: 'authors', scope: { include: ['tags', 'agent'] } } }],
  ['Authors', { include: 'genres', where: { name: 'nobody' } }],
  ['Authors', { include: 'books', order: 'id DESC' }],
  ['Authors', scoped('readers', { fields: ['name', 'authorId'] })],
  ['Readers', { include: { author: 'agent' }, fields: ['name', 'authorId'] }],
  ['Books', { include: 'author', order: 'text', skip: 2 }]
]

/** Lists that are read: their records have lists, or are found by them. */
const readCases: readonly (readonly [string, object])[] = [
  ['Readers', { include: ['liked', 'author'], order: 'name DESC' }],
  ['Readers', scoped('liked', { include: ['photos', 'author'], fields: ['key', 'authorId', 'id'] })],
  ['Readers', scoped('liked', { order: 'rank DESC', where: { rank: { gt: 0 } } })],
  ['Readers', scoped('liked', { limit: 2, skip: 1 })],
  ['Readers', scoped('liked', { limit: 1, order: 'id' })],
  ['Readers', { include: 'liked', fields: ['name'] }],
  ['Readers', { include: 'author' }],
  ['Authors', { include: ['readers', 'agent'] }],
  ['Books', { include: { author: 'readers' } }],
  ['Books', { include: { author: { readers: 'liked' } } }]
]

/** Those that LoopBack answers in ways of its own. */
const pagedCases: readonly (readonly [string, object])[] = [
  ['Authors', scoped('genres', { limit: 2 })],
  ['Authors', scoped('genres', { limit: 2, skip: 1, order: 'rank DESC' })],
  ['Authors', scoped('best', { skip: 1 })],
  ['Authors', scoped('tags', { skip: 1, fields: ['label'] })],
  ['Authors', { include: ['genres', 'agent'], fields: ['name'] }]
]

async function compare(t: Test, writer: JsonServer, reader: JsonServer, [model, filter]: readonly [string, object]) {
  const path = listOf(model, filter)
  const { count: _ofRows, ...expected } = await ask(reader, path)
  await ask(writer, path)
  const { count, ...answer } = await ask(writer, path)
  t.equal(expected.statusCode, 200)
  t.same({ ...answer, written: false }, expected, JSON.stringify(filter))
  t.same(
    writer.statements.filter((text) => / ~ /.test(text)),
    [],
    'regular expressions'
  )
  return { count, written: answer.written }
}

interface Servers {
  readonly writer: JsonServer
  readonly reader: JsonServer
  readonly url: string
}

const start = (t: Test, url: string, writes: boolean, compat = false): Promise<JsonServer> =>
  startJsonServer(t, { url, writes, models, compat })

/** Lists as other programs may fill them. */
const filled = ['[3, 3, 1]', '[]', null, 'null', '["7", 7]', '[1.5, 7]', '[1.0]', '{"a": 7}', '[[7]]', '7']

/** What each case does with two servers on one database: one lets it write records, the other reads rows. */
const tests: Readonly<Record<string, (t: Test, servers: Servers) => Promise<void>>> = {
  'are the same text as rows, by one statement': async (t, { writer, reader }) => {
    t.match((await ask(reader, listOf('Authors', { include: ['tags', 'books'] }))).body, /"red".*"k0"/)
    for (const each of [...cases, ...pagedCases])
      t.same(await compare(t, writer, reader, each), { written: true, count: 1 }, JSON.stringify(each))
  },
  "are the same in LoopBack's ways, where those are the database's": async (t, { url }) => {
    const [own, rows] = [await start(t, url, true, true), await start(t, url, false, true)]
    const all = ['Authors', { include: ['agent', 'best', 'genres', 'tags'] }] as const
    for (const each of [...cases, ...readCases]) await compare(t, own, rows, each)
    for (const each of pagedCases) t.equal((await compare(t, own, rows, each)).written, false, JSON.stringify(each))
    for (const each of [all, ...cases.slice(0, 2)])
      t.same(await compare(t, own, rows, each), { written: true, count: 1 }, JSON.stringify(each))
  },
  'are read where they have lists, and where lists lead to them': async (t, { writer, reader }) => {
    for (const each of readCases) t.equal((await compare(t, writer, reader, each)).written, false, JSON.stringify(each))
  },
  'tell nothing of what their model protects by conditions on it': async (t, { writer, reader }) => {
    const askBy = (server: JsonServer, note: string) =>
      ask(server, listOf('Authors', scoped('agent', { where: { note } })))
    const right = await askBy(writer, 'n')
    t.same(right.body, (await askBy(writer, 'none')).body)
    t.same(right.body, (await askBy(reader, 'n')).body)
  },
  'are read where an observer of the records between wants to see them': async (t, { writer, reader }) => {
    const { hooks } = writer.app.models.typeOf('Link')
    const observer = (): void => {}
    hooks.observe('loaded', observer)
    t.equal((await compare(t, writer, reader, ['Authors', { include: 'genres' }])).written, false)
    hooks.remove('loaded', observer)
    t.equal((await compare(t, writer, reader, ['Authors', { include: 'genres' }])).written, true)
  },
  'are found by lists that other programs filled': async (t, { writer, reader, url }) => {
    for (const list of filled) {
      const value = list === null ? 'null' : `'${list}'`
      await runOn(url, `update reader set likedids = ${value} where id = 1`)
      await compare(t, writer, reader, ['Readers', { include: 'liked', where: { id: 1 } }])
    }
  }
}

void t.test('related records that PostgreSQL writes', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const { url } = database
  const [writer, reader] = [await start(t, url, true), await start(t, url, false)]
  await fill(writer)
  for (const [name, run] of Object.entries(tests)) await t.test(name, async (t) => run(t, { writer, reader, url }))
})
