import type { ModelDefinition } from '@modelwire/core'
import t from 'tap'
import { codeOf, makeApp, type TestApp } from '../make-app.ts'
import { fillLibrary, library, recordOf } from '../library.ts'

void t.test('a third model joins both sides; it is made where there is none, and not exposed', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.match((await test.get('/Authors/1/tags')).body, [{ label: 'red' }, { label: 'blue' }], 'by id')
  t.match((await test.get('/Tags/1/authors')).body, [{ name: 'Ann' }, { name: 'Bob' }])
  t.equal((await test.get('/TagAuthors')).status, 404)
})

void t.test('joins and takes apart without touching the records', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const linked = await test.send('PUT', '/Authors/3/tags/rel/2')
  t.match(linked, { status: 200, body: { authorId: 3, tagId: 2 } })
  t.strictSame((await test.send('PUT', '/Authors/3/tags/rel/2')).body, linked.body, 'twice is once')
  t.equal((await test.app.inject({ method: 'HEAD', url: '/api/Authors/3/tags/rel/2' })).statusCode, 200)
  t.equal((await test.send('DELETE', '/Authors/3/tags/rel/2')).status, 204)
  t.equal((await test.app.inject({ method: 'HEAD', url: '/api/Authors/3/tags/rel/2' })).statusCode, 404)
  t.equal((await test.get('/Tags/2')).status, 200)
})

void t.test('creates both records, and deletes them', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  t.match((await test.send('POST', '/Authors/3/tags', { label: 'new' })).body, { label: 'new', id: 3 })
  t.strictSame((await test.get('/Authors/3/tags/count')).body, { count: 1 })
  t.equal((await test.send('DELETE', '/Authors/3/tags/3')).status, 204)
  t.equal((await test.get('/Tags/3')).status, 404)
  t.equal(codeOf(await test.get('/Authors/3/tags/1')), 'RECORD_NOT_FOUND')
})

void t.test('a record that cannot be joined is not kept', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  test.model('TagAuthor').observe('before save', () => {
    throw new Error('no')
  })
  const tags = (await recordOf(test.model('Author'), 1)) as unknown as {
    tags: { create: (data: object) => Promise<unknown> }
  }
  await t.rejects(tags.tags.create({ label: 'lost' }), { message: 'no' })
  await t.rejects(tags.tags.create([{ label: 'lost' }, { label: 'lost' }]), { message: 'no' })
  t.equal(await test.model('Tag').count({ label: 'lost' }), 0)
})

void t.test('a condition on a count is about the related records', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const where = encodeURIComponent('{"label":"red"}')
  t.strictSame((await test.get(`/Authors/1/tags/count?where=${where}`)).body, { count: 1 })
})

void t.test('limits of an include hold for each parent', async (t) => {
  const test = await makeApp(t, library)
  await fillLibrary(test)
  const include = { relation: 'tags', scope: { order: 'label', limit: 1 } }
  t.match((await test.get('/Authors', { include })).body, [
    { tags: [{ label: 'blue' }] },
    { tags: [{ label: 'red' }] },
    { tags: [] }
  ])
})

void t.test('a model is joined with itself when the keys are swapped', async (t) => {
  const follows = (foreignKey: string, keyThrough: string) => ({
    type: 'hasMany',
    model: 'Member',
    through: 'Follow',
    foreignKey,
    keyThrough
  })
  const test = await makeApp(t, [
    {
      name: 'Member',
      properties: { name: 'string' },
      relations: { following: follows('followerId', 'followeeId'), followers: follows('followeeId', 'followerId') }
    },
    { name: 'Follow', properties: { muted: 'boolean' } }
  ])
  await test.send('POST', '/Members', [{ name: 'a' }, { name: 'b' }])
  const link = await test.send('PUT', '/Members/1/following/rel/2', { muted: true, followerId: 9 })
  t.match(link.body, { followerId: 1, followeeId: 2, muted: true })
  t.match((await test.get('/Members/2/followers')).body, [{ name: 'a' }])
  t.match((await test.get('/Members', { include: ['following', 'followers'] })).body, [
    { following: [{ name: 'b' }], followers: [] },
    { following: [], followers: [{ name: 'a' }] }
  ])
})

void t.test('LoopBack: what a repeated link sends must be valid, though it is not stored', async (t) => {
  const test = await makeApp(t, library, { compat: true })
  await fillLibrary(test)
  const linked = await test.send('PUT', '/Authors/1/tags/rel/1', { note: 'n' })
  t.match(linked, { status: 200, body: { id: 2, note: undefined } })
  t.match(await test.send('PUT', '/Authors/1/tags/rel/1', { id: 9 }), {
    status: 422,
    body: { error: { details: { codes: { id: ['absence'] } } } }
  })
})

void t.test('what observers add counts where a record is joined again, as in LoopBack', async (t) => {
  const models: readonly ModelDefinition[] = [
    { name: 'Member', relations: { clubs: { type: 'hasMany', model: 'Club', through: 'Entry' } } },
    { name: 'Club' },
    { name: 'Entry', properties: { at: { type: 'date', required: true } } }
  ]
  const test = await makeApp(t, models, { compat: true })
  test.model('Entry').observe('before save', (context) => {
    Object.assign(Object((context as { instance?: unknown }).instance), { at: new Date(0) })
  })
  await test.send('POST', '/Members', {})
  await test.send('POST', '/Clubs', {})
  for (const time of ['first', 'second']) t.equal((await test.send('PUT', '/Members/1/clubs/rel/1')).status, 200, time)
  t.equal(await test.model('Entry').count(), 1)
})

void t.test('lists, pages and includes come by id, and LoopBack lists in the order of joining', async (t) => {
  for (const [compat, listed] of [
    [false, ['red', 'blue']],
    [true, ['blue', 'red']]
  ] as const) {
    const test = await makeApp(t, library, { compat })
    await fillLibrary(test)
    const labels = (list: unknown): unknown => (list as { label: string }[]).map(({ label }) => label)
    t.strictSame(labels((await test.get('/Authors/1/tags')).body), listed)
    t.strictSame(labels((await test.get('/Authors/1/tags', { limit: 1 })).body), ['red'])
    const [author] = (await test.get('/Authors', { include: 'tags' })).body as [{ tags: unknown }]
    t.strictSame(labels(author.tags), ['red', 'blue'])
  }
})

const clubs: readonly ModelDefinition[] = [
  { name: 'Member', relations: { clubs: { type: 'hasMany', model: 'Club', through: 'Entry' } } },
  { name: 'Club', relations: { members: { type: 'hasMany', model: 'Member', through: 'Entry' } } },
  { name: 'Entry', properties: { role: 'string' } }
]

void t.test('a record that is joined twice comes once; in LoopBack as often as it is joined', async (t) => {
  for (const [compat, times] of [
    [false, 1],
    [true, 2]
  ] as const) {
    const test = await makeApp(t, clubs, { compat })
    await test.model('Member').create([{}, {}])
    await test.model('Club').create([{}])
    const entry = { memberId: 1, clubId: 1 }
    await test.model('Entry').create([
      { ...entry, role: 'player' },
      { ...entry, role: 'coach' }
    ])
    const { body } = await test.get('/Members/1/clubs')
    t.equal((body as []).length, times)
    t.strictSame((await test.get('/Members/1/clubs/count')).body, { count: times })
    const [member] = (await test.get('/Members', { include: 'clubs' })).body as [{ clubs: [] }]
    t.equal(member.clubs.length, times)
    const where = encodeURIComponent('{"role":"coach"}')
    t.strictSame((await test.get(`/Members/1/clubs/count?where=${where}`)).body, { count: 1 })
  }
})

void t.test('those who join the same records at once, from either side, join them once', async (t) => {
  const fillClubs = async ({ model }: TestApp): Promise<unknown> =>
    Promise.all(['Member', 'Club'].map((name) => model(name).create({})))
  const cases = [
    {
      models: library,
      fill: fillLibrary,
      paths: ['/Authors/3/tags/rel/2', '/Tags/2/authors/rel/3'],
      through: 'TagAuthor'
    },
    { models: clubs, fill: fillClubs, paths: ['/Members/1/clubs/rel/1', '/Clubs/1/members/rel/1'], through: 'Entry' }
  ]
  for (const { models, fill, paths, through } of cases) {
    const test = await makeApp(t, models)
    await fill(test)
    const before = (await test.model(through).count()) as unknown as number
    const answers = await Promise.all([...paths, ...paths, ...paths].map((path) => test.send('PUT', path)))
    t.ok(answers.every(({ status }) => status === 200))
    t.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    t.equal(await test.model(through).count(), before + 1)
  }
})
