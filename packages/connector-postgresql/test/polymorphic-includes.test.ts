import { acl } from '@modelwire/acl'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase } from '@modelwire/connector-tests/postgresql'
import { migrate, type ModelDefinition, modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'

const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' } as const
const picture = { model: 'Picture', polymorphic: { as: 'subject' } }
const owning = { pictures: { type: 'hasMany', ...picture }, cover: { type: 'hasOne', ...picture } }

/** Books may be read, letters and diaries may not; every picture is of one of them. */
const models: ModelDefinition[] = [
  {
    name: 'Picture',
    public: true,
    properties: { name: 'string', subjectId: 'number', subjectType: 'string' },
    relations: { subject: { type: 'belongsTo', polymorphic: true } }
  },
  { name: 'Book', public: true, relations: owning },
  ...['Letter', 'Diary'].map((name) => ({ name, relations: owning, acls: [deny] }))
]

async function start(t: Test): Promise<FastifyInstance> {
  const database = await createTestDatabase()
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await database.drop()
  })
  await app.register(modelwire, { dataSources: { db: postgresql({ url: database.url, max: 4 }) }, models })
  await app.register(acl)
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  await migrate(app.models)
  for (const name of ['Book', 'Letter', 'Diary']) await app.models.get(name).create([{}, {}, {}])
  const subjects = ['Book', 'Letter', 'Diary', 'Nothing']
  const pictures = Array.from({ length: 24 }, (_none, index) => ({
    name: `p${index % 3}`,
    subjectId: (index % 3) + 1,
    subjectType: subjects[index % 4]
  }))
  await app.models.get('Picture').create(pictures)
  // Rows that were written again lie behind the others.
  await app.models.get('Picture').updateAll({ id: { lt: 6 } }, { name: 'p9' })
  return app
}

const filters = {
  '/Pictures': [
    { include: 'subject' },
    { include: { subject: 'pictures' } },
    { include: 'subject', where: { subjectType: 'Book' } },
    { include: 'subject', order: 'name', limit: 7 }
  ],
  '/Books': [
    { include: 'cover' },
    { include: ['pictures', 'cover'] },
    { include: { pictures: 'subject' } },
    { include: { relation: 'pictures', scope: { order: 'name DESC', limit: 1 } } },
    { include: { relation: 'pictures', scope: { skip: 1, where: { name: { neq: 'p0' } } } } },
    { where: { pictures: { name: 'p9' } }, include: 'pictures' }
  ]
}

void t.test('a polymorphic include answers the same request the same each time', { timeout: 60_000 }, async (t) => {
  const app = await start(t)
  const statuses = new Set<number>()
  for (const [path, each] of Object.entries(filters))
    for (const filter of each) {
      const url = `/api${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
      const answers = await Promise.all(Array.from({ length: 15 }, async () => app.inject(url)))
      answers.forEach(({ statusCode }) => statuses.add(statusCode))
      t.equal(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size, 1, url)
    }
  t.strictSame(statuses, new Set([401, 200]))
})
