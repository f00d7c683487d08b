import t from 'tap'
import type { ModelDefinition } from '@modelwire/core'
import { codeOf, makeApp } from '../make-app.ts'

const models: readonly ModelDefinition[] = [
  {
    name: 'Member',
    properties: { name: 'string' },
    relations: { likes: { type: 'referencesMany', model: 'Song', foreignKey: 'songIds' } }
  },
  { name: 'Song', properties: { title: 'string' } }
]

const start = async (t: Parameters<typeof makeApp>[0]) => {
  const test = await makeApp(t, models)
  await test.send('POST', '/Songs', [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  await test.send('POST', '/Members', { name: 'M', songIds: [3, 1] })
  return test
}

void t.test('records come in the order of the keys, and the page is cut from that order', async (t) => {
  const test = await start(t)
  t.match((await test.get('/Members/1/likes')).body, [{ title: 'c' }, { title: 'a' }])
  t.match((await test.get('/Members/1/likes', { limit: 1 })).body, [{ title: 'c' }])
  t.match((await test.get('/Members/1/likes', { skip: 1 })).body, [{ title: 'a' }])
  t.match((await test.get('/Members/1/likes', { order: 'title', limit: 1 })).body, [{ title: 'a' }])
  t.match((await test.get('/Members', { include: 'likes' })).body, [{ likes: [{ title: 'c' }, { title: 'a' }] }])
})

void t.test('a record is referred to once', async (t) => {
  const test = await start(t)
  t.match(await test.send('PUT', '/Members/1/likes/rel/2'), { status: 200, body: { title: 'b' } })
  t.match((await test.send('PUT', '/Members/1/likes/rel/2')).body, {
    error: { details: { codes: { likes: ['uniqueness'] } } }
  })
  t.strictSame(await test.send('PUT', '/Members/1/likes/rel/99'), { status: 200, body: null })
  t.equal((await test.send('PATCH', '/Members/1', { songIds: [1, 1] })).status, 422)
})

void t.test('a record that the parent does not refer to is not the parent’s', async (t) => {
  const test = await start(t)
  const foreign = await test.get('/Members/1/likes/2')
  t.strictSame([foreign.status, codeOf(foreign)], [400, 'NOT_REFERENCED'])
  t.equal((await test.get('/Members/1/likes/99')).status, 404)
  t.strictSame((await test.get('/Members/1/likes/count')).body, { count: 2 })
})

void t.test('deletes only what the parent refers to', async (t) => {
  const test = await start(t)
  t.equal((await test.send('DELETE', '/Members/1/likes/rel/3')).status, 204)
  t.match((await test.get('/Members/1')).body, { songIds: [1] })
  t.match((await test.send('POST', '/Members/1/likes', { title: 'd' })).body, { title: 'd' })
  t.equal((await test.send('DELETE', '/Members/1/likes')).status, 204)
  t.match((await test.get('/Songs')).body, [{ title: 'b' }, { title: 'c' }])
  t.match((await test.get('/Members/1')).body, { songIds: [] })
})

void t.test('one record is made at a time', async (t) => {
  const test = await start(t)
  const list = await test.send('POST', '/Members/1/likes', [{ title: 'x' }])
  t.strictSame([list.status, codeOf(list)], [422, 'LIST_NOT_ALLOWED'])
})

void t.test('the order of the relation’s scope comes before that of the keys', async (t) => {
  const [member, song] = models
  const likes = {
    type: 'referencesMany',
    model: 'Song',
    foreignKey: 'songIds',
    scope: { order: 'title DESC' }
  } as const
  const test = await makeApp(t, [
    { ...member, name: 'Member', relations: { likes } },
    { ...song, name: 'Song' }
  ])
  await test.send('POST', '/Songs', [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  await test.send('POST', '/Members', { songIds: [1, 3, 2] })
  t.match((await test.get('/Members/1/likes')).body, [{ title: 'c' }, { title: 'b' }, { title: 'a' }])
  t.match((await test.get('/Members/1/likes', { limit: 1 })).body, [{ title: 'c' }])
  t.match((await test.get('/Members/1/likes', { order: 'title' })).body, [
    { title: 'a' },
    { title: 'b' },
    { title: 'c' }
  ])
})

void t.test('the parent refers to all records that are made at the same time', async (t) => {
  const test = await start(t)
  const member = (await test.model('Member').findById(1)) as unknown as {
    likes: { create(data: object): Promise<unknown> }
    songIds: number[]
  }
  await Promise.all(['d', 'e', 'f'].map((title) => member.likes.create({ title })))
  t.strictSame(member.songIds, [3, 1, 4, 5, 6])
  t.match(await test.model('Member').findById(1), { songIds: [3, 1, 4, 5, 6] })
})
