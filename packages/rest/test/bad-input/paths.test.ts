import type { InjectOptions } from 'fastify'
import t from 'tap'
import { type Attack, refuseAll, startTarget } from './start-target.ts'

const ids = [
  '%ZZ',
  '%',
  '%C0%AF',
  '%E0%A4%A',
  '%00',
  '1%00',
  'a'.repeat(90),
  'a'.repeat(5000),
  '__proto__',
  'constructor',
  '%2e%2e%2f',
  '..%5c..%5c',
  '1e999',
  'NaN',
  '-1',
  '1.5',
  'null',
  'undefined',
  'true',
  '%20',
  '[]',
  '{}',
  '99999999999999999999',
  '%F0%9F%92%A9',
  "1'%20or%201=1",
  '1;drop',
  '$where'
]

const payload = { headers: { 'content-type': 'application/json' }, payload: '{"text":"z"}' }

const requests = (id: string): Attack[] => [
  { title: `GET ${id}`, method: 'GET', url: `/api/Things/${id}` },
  { title: `HEAD ${id}`, method: 'HEAD', url: `/api/Things/${id}` },
  { title: `PUT ${id}`, method: 'PUT', url: `/api/Things/${id}`, ...payload },
  { title: `PATCH ${id}`, method: 'PATCH', url: `/api/Things/${id}`, ...payload },
  { title: `replace ${id}`, method: 'POST', url: `/api/Things/${id}/replace`, ...payload }
]

t.test('ids that nobody has', async (t) => {
  const app = await startTarget(t)
  await refuseAll(t, app, ids.flatMap(requests).map(shorten))
})

const shorten = (attack: Attack): Attack => ({ ...attack, title: attack.title.slice(0, 60) })

t.test('deleting what nobody has removes nothing', async (t) => {
  const app = await startTarget(t)
  for (const id of ids) {
    const answer = await app.inject({ method: 'DELETE', url: `/api/Things/${id}` })
    if (answer.statusCode === 200) t.strictSame(answer.json(), { count: 0 }, id)
    else t.ok(answer.statusCode >= 400 && answer.statusCode < 500, id)
    t.equal((await app.inject(`/api/Things/${id}/exists`)).statusCode < 500, true, id)
  }
  t.equal(await app.models.get('Thing').count(), 1)
})

const unknown: readonly InjectOptions[] = [
  { method: 'OPTIONS', url: '/api/Things' },
  { method: 'OPTIONS', url: '/api/Things/1' },
  { method: 'OPTIONS', url: '/api/Nothing' },
  { method: 'TRACE' as never, url: '/api/Things' },
  { method: 'HEAD', url: '/api/Things/count' },
  { method: 'HEAD', url: '/api/Things/findOne' },
  { method: 'HEAD', url: '/api/Nothing' },
  { method: 'PUT', url: '/api/Things/count/x' },
  { method: 'DELETE', url: '/api/Things' },
  { method: 'GET', url: '/api/Nothing' },
  { method: 'GET', url: '/api/__proto__' },
  { method: 'GET', url: '/api/constructor/1' },
  { method: 'GET', url: '/api/Things/1/constructor' },
  { method: 'GET', url: '/api/Things/1/__proto__' },
  { method: 'POST', url: '/api/Things/1' },
  { method: 'GET', url: '/api' }
]

t.test('verbs and paths that nothing answers', async (t) => {
  const app = await startTarget(t)
  await refuseAll(
    t,
    app,
    unknown.map((request) => ({ ...request, title: `${String(request.method)} ${String(request.url)}`, status: 404 }))
  )
})

t.test('a path that no server could want', async (t) => {
  const app = await startTarget(t)
  const long = '/api/Things/'.padEnd(100_000, 'a')
  await refuseAll(t, app, [
    { title: 'long', method: 'GET', url: long },
    { title: 'many segments', method: 'GET', url: `/api${'/a'.repeat(10_000)}` },
    { title: 'NUL', method: 'GET', url: '/api/Things%00' },
    { title: 'encoded slash', method: 'GET', url: '/api/Things%2F1' }
  ])
})
