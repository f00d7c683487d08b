import { memory } from '@modelwire/connector-memory'
import * as fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

/** Notes that only their owners see, change and delete; the secret is nobody's to read or set. */
async function notesApp(t: Test): Promise<FastifyInstance> {
  const note = {
    name: 'Note',
    plural: 'notes',
    hidden: ['secret'],
    forceId: false,
    properties: { text: 'string', secret: 'string', ownerId: 'number' },
    relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
    acls: [
      deny,
      rule('$authenticated', 'ALLOW', { property: 'create', fields: { except: ['secret'] } }),
      rule('$owner', 'ALLOW', { accessType: 'READ', rows: '$owner' }),
      rule('$owner', 'ALLOW', {
        property: ['patchAttributes', 'patchOrCreate', 'deleteById'],
        rows: '$owner'
      })
    ]
  }
  const app = await makeApp(t, [note], {}, { connector: memory({ transactions: true }) })
  await app.models.get('Note').create([
    { text: 'a', secret: 's1', ownerId: 1 },
    { text: 'b', secret: 's2', ownerId: 2 }
  ])
  return app
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: Record<string, unknown>
}

const data = fc.record(
  {
    text: fc.constantFrom('x', 'y'),
    secret: fc.constant('z'),
    ownerId: fc.constantFrom(1, 2),
    id: fc.constantFrom(1, 2, 7)
  },
  { requiredKeys: [] }
)
const id = fc.constantFrom(1, 2, 3, 9)
const sent: fc.Arbitrary<Sent> = fc.oneof(
  fc.constantFrom<Sent>(
    { method: 'GET', url: '/notes' },
    { method: 'GET', url: '/notes/count' },
    { method: 'GET', url: '/notes?filter={"where":{"secret":"s1"}}' },
    { method: 'GET', url: '/Users' }
  ),
  id.map((each): Sent => ({ method: 'GET', url: `/notes/${each}` })),
  id.map((each): Sent => ({ method: 'GET', url: `/notes/${each}/owner` })),
  id.map((each): Sent => ({ method: 'DELETE', url: `/notes/${each}` })),
  fc.tuple(id, data).map(([each, body]): Sent => ({ method: 'PATCH', url: `/notes/${each}`, body })),
  data.map((body): Sent => ({ method: 'PATCH', url: '/notes', body })),
  data.map((body): Sent => ({ method: 'POST', url: '/notes', body }))
)

type Outcome = readonly [status: number, body: unknown]

const headersOf = (user: number | undefined) => (user === undefined ? {} : { user: String(user) })

async function alone(app: FastifyInstance, { method, url, body }: Sent, user: number | undefined): Promise<Outcome> {
  const payload = body === undefined ? {} : { payload: body }
  const answer = await app.inject({ method, url: `/api${url}`, headers: headersOf(user), ...payload })
  return [answer.statusCode, answer.body === '' ? undefined : answer.json()]
}

async function together(app: FastifyInstance, requests: readonly Sent[], user: number | undefined): Promise<Outcome[]> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/batch',
    headers: headersOf(user),
    payload: { requests }
  })
  const { responses } = answer.json<{ responses: { status: number; body?: unknown }[] }>()
  return responses.map(({ status, body }) => [status, body])
}

void t.test('in a batch everyone may do, and learns, what they do alone', { timeout: 120_000 }, async (t) => {
  const user = fc.constantFrom(undefined, 1, 2, 3)
  const property = fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 5 }), user, async (requests, who) => {
    const [one, other] = [await notesApp(t), await notesApp(t)]
    const expected: Outcome[] = []
    for (const request of requests) expected.push(await alone(one, request, who))
    const found = await together(other, requests, who)
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
    await Promise.all([one.close(), other.close()])
  })
  await fc.assert(property, { numRuns: 60 })
})

void t.test('many records are written by the rules of each method', async (t) => {
  const app = await notesApp(t)
  const payload = {
    create: [
      { text: 'c', ownerId: 1 },
      { text: 'd', secret: 'mine' }
    ],
    update: [
      { id: 1, text: 'mine' },
      { id: 2, text: 'taken' }
    ],
    delete: [2]
  }
  const answer = await app.inject({ method: 'POST', url: '/api/notes/bulk', headers: headersOf(1), payload })
  const statuses = Object.values(answer.json<Record<string, { status: number }[]>>()).map((list) =>
    list.map(({ status }) => status)
  )
  t.strictSame(
    statuses.flat().map((status) => status < 300),
    [true, false, true, false, false]
  )
  const [second] = await app.models.get('Note').find({ where: { id: 2 } })
  t.equal(second?.['text'], 'b')
})

void t.test('whoever may do nothing gets refusals, and an atomic batch of theirs changes nothing', async (t) => {
  const app = await notesApp(t)
  const requests = [{ method: 'POST', url: '/notes', body: { text: 'x' } }]
  const open = await app.inject({ method: 'POST', url: '/api/batch', payload: { requests } })
  t.match(open.json(), { responses: [{ status: 401, body: { error: { code: 'AUTHORIZATION_REQUIRED' } } }] })
  const closed = await app.inject({ method: 'POST', url: '/api/batch', payload: { atomic: true, requests } })
  t.match(closed.json(), { error: { code: 'BATCH_ROLLED_BACK', details: { status: 401 } } })
  t.equal(await app.models.get('Note').count(), 2)
})
