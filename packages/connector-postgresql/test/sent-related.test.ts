import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import type { ModelDefinition } from '@modelwire/core'
import t, { type Test } from 'tap'
import { ask, classesOf, type RowServer, listOf, startRowServer } from './fixtures/row-servers.ts'

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

async function fill(server: RowServer): Promise<void> {
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

/** Their records have lists, or are found by them. */
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

async function compare(t: Test, quick: RowServer, reading: RowServer, [model, filter]: readonly [string, object]) {
  const path = listOf(model, filter)
  const expected = await ask(reading, path)
  t.equal(expected.statusCode, 200)
  t.same(await ask(quick, path), expected, JSON.stringify(filter))
}

interface Servers {
  readonly quick: RowServer
  readonly reading: RowServer
  readonly url: string
}

const start = (t: Test, url: string, asSent: boolean, compat = false): Promise<RowServer> =>
  startRowServer(t, { url, asSent, models, compat })

/** Lists as other programs may fill them. */
const filled = ['[3, 3, 1]', '[]', null, 'null', '["7", 7]', '[1.5, 7]', '[1.0]', '{"a": 7}', '[[7]]', '7']

/** What each case does with two servers on one database: one writes what the driver sent, the other reads all values before. */
const tests: Readonly<Record<string, (t: Test, servers: Servers) => Promise<void>>> = {
  'are the same text': async (t, { quick, reading }) => {
    t.match((await ask(reading, listOf('Authors', { include: ['tags', 'books'] }))).body, /"red".*"k0"/)
    for (const each of [...cases, ...pagedCases, ...readCases]) await compare(t, quick, reading, each)
  },
  "are the same in LoopBack's ways": async (t, { url }) => {
    const [own, rows] = [await start(t, url, true, true), await start(t, url, false, true)]
    for (const each of [...cases, ...pagedCases, ...readCases]) await compare(t, own, rows, each)
  },
  'tell nothing of what their model protects by conditions on it': async (t, { quick, reading }) => {
    const askBy = (server: RowServer, note: string) =>
      ask(server, listOf('Authors', scoped('agent', { where: { note } })))
    const right = await askBy(quick, 'n')
    t.same(right.body, (await askBy(quick, 'none')).body)
    t.same(right.body, (await askBy(reading, 'n')).body)
  },
  'are the same where an observer of the records between sees them': async (t, { quick, reading }) => {
    const { hooks } = quick.app.models.typeOf('Link')
    const observer = (): void => {}
    hooks.observe('loaded', observer)
    await compare(t, quick, reading, ['Authors', { include: 'genres' }])
    hooks.remove('loaded', observer)
  },
  'are found by lists that other programs filled': async (t, { quick, reading, url }) => {
    for (const list of filled) {
      const value = list === null ? 'null' : `'${list}'`
      await runOn(url, `update reader set likedids = ${value} where id = 1`)
      await compare(t, quick, reading, ['Readers', { include: 'liked', where: { id: 1 } }])
    }
  }
}

void t.test('related records as PostgreSQL sent them', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const { url } = database
  const [quick, reading] = [await start(t, url, true), await start(t, url, false)]
  await fill(quick)
  for (const [name, run] of Object.entries(tests)) await t.test(name, async (t) => run(t, { quick, reading, url }))
})
