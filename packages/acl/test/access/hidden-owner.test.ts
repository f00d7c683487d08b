import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { shelfModels } from '../shelves.ts'

const own = rule('$authenticated', 'ALLOW', {
  property: ['find', 'findOne', 'count', 'updateAll', 'createChangeStream', 'findById'],
  rows: '$owner'
})

interface Case {
  readonly name: string
  readonly compat: boolean
  readonly observed: boolean
  readonly secret: 'hidden' | 'protected'
}

const cases = [false, true].flatMap((compat) =>
  [false, true].flatMap((observed) =>
    (['hidden', 'protected'] as const).map((secret): Case => {
      const name = `a ${secret} owner${compat ? ' in compat mode' : ''}${observed ? ', with observers' : ''}`
      return { name, compat, observed, secret }
    })
  )
)

/** Shelves x and y, each with a thing of user 1 and one of user 2. */
async function makeShelves(t: Test, { compat, observed, secret }: Case): Promise<FastifyInstance> {
  const models = shelfModels({
    properties: { label: 'string', ownerId: 'number' },
    relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
    [secret]: ['ownerId'],
    acls: [deny, own]
  })
  const app = await makeApp(t, models, {}, { compat })
  await app.models.get('Shelf').create([{ title: 'x' }, { title: 'y' }])
  for (const shelfId of [1, 2])
    await app.models
      .get('Thing')
      .create([1, 2].map((ownerId) => ({ label: `${shelfId} of ${ownerId}`, ownerId, shelfId })))
  if (observed) app.models.get('Thing').observe('access', async () => undefined)
  return app
}

const asked: [string, unknown][] = [
  ['/things', [{ label: '1 of 1' }, { label: '2 of 1' }]],
  ['/things?filter={"where":{"label":{"like":"1 of %25"}}}', [{ label: '1 of 1' }]],
  ['/things?filter={"where":{"shelf.title":"y"}}', [{ label: '2 of 1' }]],
  ['/things?filter={"where":{"or":[{"shelf":{"title":"y"}},{"label":"1 of 2"}]}}', [{ label: '2 of 1' }]],
  ['/things?filter={"where":{"nor":[{"label":"2 of 1"}]}}', [{ label: '1 of 1' }]],
  ['/things?filter={"order":"shelf.title DESC","limit":1}', [{ label: '2 of 1' }]],
  ['/things/findOne?filter={"where":{"label":{"neq":"1 of 1"}}}', { label: '2 of 1' }],
  ['/things/count', { count: 2 }],
  ['/things/count?where={"shelf.title":"y"}', { count: 1 }],
  ['/shelves/2/things', [{ label: '2 of 1' }]],
  ['/shelves/2/things?filter={"where":{"shelf.title":"y"}}', [{ label: '2 of 1' }]],
  ['/shelves/2/things?filter={"where":{"label":"2 of 2"}}', []],
  ['/shelves/2/things/count', { count: 1 }],
  ['/shelves/2/things/count?where={"label":"2 of 2"}', { count: 0 }]
]

for (const each of cases) {
  void t.test(`${each.name} keeps lists to the own records`, async (t) => {
    const app = await makeShelves(t, each)
    for (const [url, expected] of asked) {
      const answer = (await app.inject({ url: `/api${url}`, headers: { user: '1' } })).json<unknown>()
      t.match(answer, expected, url)
      if (Array.isArray(expected)) t.equal(Array.isArray(answer) && answer.length, expected.length, url)
    }
    const copied = '/api/things?filter={"where":{"and":[{"$trusted":{"ownerId":2}}]}}'
    t.equal((await app.inject({ url: copied, headers: { user: '1' } })).statusCode, 400)
  })

  void t.test(`${each.name} keeps updates of many to the own records`, async (t) => {
    const app = await makeShelves(t, each)
    const request = { method: 'POST', headers: { user: '1' }, payload: { label: 'new' } } as const
    for (const where of ['{}', '{"shelf.title":"y"}', '{"label":{"neq":"a"}}'])
      t.equal((await app.inject({ ...request, url: `/api/things/update?where=${where}` })).statusCode, 200)
    const things = await app.models.get('Thing').find({ order: 'id ASC' })
    t.strictSame(
      things.map((thing) => thing['label']),
      ['new', '1 of 2', 'new', '2 of 2']
    )
  })

  void t.test(`${each.name} keeps streams of changes to the own records`, async (t) => {
    const app = await makeShelves(t, each)
    const streams = ['', '?options={"where":{"label":{"neq":"b"}}}'].map((query) =>
      app.inject({ url: `/api/things/change-stream${query}`, headers: { user: '1' } })
    )
    await new Promise((resolve) => setImmediate(resolve))
    const Thing = app.models.get('Thing')
    await Thing.create([1, 2].map((ownerId) => ({ label: 'a', ownerId })))
    await Thing.updateAll({ ownerId: 2 }, { label: 'secret' })
    await Thing.destroyAll({ ownerId: 2 })
    await new Promise((resolve) => setImmediate(resolve))
    await app.close()
    for (const stream of await Promise.all(streams)) {
      const events = stream.payload.split('\n').filter((line) => line.startsWith('data: {'))
      t.strictSame(events.length, 1)
      t.match(events[0], /"target":5/)
    }
  })
}

void t.test('followers of changes are not told whose records an update of many was about', async (t) => {
  for (const each of cases.filter(({ secret }) => secret === 'hidden')) {
    const app = await makeShelves(t, each)
    const wheres: unknown[] = []
    const stream = await app.models.get('Thing').createChangeStream()
    stream.on('data', (event: { where: unknown }) => wheres.push(event.where))
    const url = '/api/things/update?where={"label":"1 of 1"}'
    await app.inject({ method: 'POST', url, headers: { user: '1' }, payload: { label: 'new' } })
    stream.destroy()
    t.notMatch(JSON.stringify(wheres), /ownerId|trusted/)
    t.match(JSON.stringify(wheres), /1 of 1/)
  }
})

void t.test(
  'observers see what the client asks for, and what they make of it holds within the own records',
  async (t) => {
    for (const each of cases.filter(({ observed }) => observed)) {
      const app = await makeShelves(t, each)
      const seen: unknown[] = []
      app.models.get('Thing').observe('access', async (context) => {
        seen.push(context.query?.['where'])
        context.query = { where: {} }
      })
      const answer = await app.inject({
        url: '/api/things?filter={"where":{"label":"1 of 1"}}',
        headers: { user: '1' }
      })
      t.match(answer.json(), [{ label: '1 of 1' }, { label: '2 of 1' }])
      t.equal(answer.json<unknown[]>().length, 2)
      t.strictSame(seen, [{ label: '1 of 1' }])
    }
  }
)
