import { memory } from '@modelwire/connector-memory'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

/** Notes that readers read, writers create, and owners delete. */
async function notesApp(t: Test): Promise<FastifyInstance> {
  const note = {
    name: 'Note',
    plural: 'notes',
    properties: { text: 'string', ownerId: { type: 'number', fromCaller: 'userId' } },
    relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
    acls: [
      deny,
      rule('reader', 'ALLOW', { accessType: 'READ' }),
      rule('writer', 'ALLOW', { property: ['create', 'patchAttributes'] }),
      rule('$owner', 'ALLOW', { property: 'deleteById', rows: '$owner' })
    ]
  }
  const connector = memory({ transactions: true })
  const app = await makeApp(t, [note], {}, { connector, idempotency: true })
  for (const name of ['reader', 'writer']) {
    const role = await app.models.get('Role').create({ name })
    await app.models.get('RoleMapping').create({ principalType: 'USER', principalId: '1', roleId: role['id'] })
  }
  await app.models.get('Note').create({ text: 'first', ownerId: 1 })
  return app
}

async function takeAway(app: FastifyInstance, name: string): Promise<void> {
  const [role] = await app.models.get('Role').find({ where: { name } })
  await app.models.get('RoleMapping').destroyAll({ roleId: role?.['id'] })
}

interface Part {
  readonly status: number
  readonly body?: { readonly error?: { readonly code: string } }
}

async function send(app: FastifyInstance, url: string, payload: object, more: Record<string, string> = {}) {
  const headers = { 'idempotency-key': 'k', user: '1', ...more }
  const answer = await app.inject({ method: 'POST', url: `/api${url}`, headers, payload })
  const parts = Object.values(answer.json<Record<string, Part[]>>()).flat()
  return { body: answer.body, parts, replayed: answer.headers['idempotency-replayed'] }
}

const countOf = (app: FastifyInstance): Promise<number> => app.models.get('Note').count()
const create = { method: 'POST', url: '/notes', body: { text: 'second' } }
const list = { id: 'all', method: 'GET', url: '/notes' }

void t.test('the answer of a batch is given again as it was, to whom may still do all of it', async (t) => {
  const app = await notesApp(t)
  const requests = [{ id: 'new', ...create }, list, { method: 'GET', url: '/notes/{new/id}' }]
  const first = await send(app, '/batch', { requests })
  t.strictSame(
    first.parts.map(({ status }) => status),
    [200, 200, 200]
  )
  const again = await send(app, '/batch', { requests })
  t.equal(again.body, first.body)
  t.equal(again.replayed, 'true')
  t.equal(await countOf(app), 2, 'nothing was carried out again')
})

void t.test('what its caller may not read any more is refused, and a change is told without its content', async (t) => {
  const app = await notesApp(t)
  const requests = [create, list]
  await send(app, '/batch', { requests })
  await takeAway(app, 'reader')
  const { parts, body } = await send(app, '/batch', { requests })
  t.match(parts, [
    { status: 200, body: { text: 'second' } },
    { status: 401, body: { error: {} } }
  ])
  t.notMatch(body, 'first')
  await takeAway(app, 'writer')
  t.strictSame((await send(app, '/batch', { requests })).parts[0], { id: '0', status: 200, headers: {} })
  t.equal(await countOf(app), 2, 'nothing was carried out again')
})

void t.test('a token with fewer scopes reads nothing by the key of another one', async (t) => {
  const app = await notesApp(t)
  const requests = [create, list]
  await send(app, '/batch', { requests })
  const { parts, body } = await send(app, '/batch', { requests }, { scopes: 'none' })
  t.equal(parts[1]?.status, 401)
  t.notMatch(body, /first|second/)
})

void t.test('the same holds for many records of a model', async (t) => {
  const app = await notesApp(t)
  const payload = { create: [{ text: 'second' }], update: [{ id: 1, text: 'changed' }], delete: [7] }
  const first = await send(app, '/notes/bulk', payload)
  t.equal((await send(app, '/notes/bulk', payload)).body, first.body)
  await takeAway(app, 'writer')
  const { parts, body } = await send(app, '/notes/bulk', payload)
  t.strictSame(
    parts.slice(0, 2),
    Array.from({ length: 2 }, () => ({ status: 200, headers: {} }))
  )
  t.strictSame(parts[2], first.parts[2], 'a refusal stays as it was')
  t.notMatch(body, /second|changed/)
  t.equal(await countOf(app), 2)
})

void t.test('a deletion by an owner is told again, though the record is gone', async (t) => {
  const app = await notesApp(t)
  const requests = [{ method: 'DELETE', url: '/notes/1' }]
  t.equal((await send(app, '/batch', { requests })).parts[0]?.status, 200)
  t.equal((await send(app, '/batch', { requests })).parts[0]?.status, 200)
})
