import t from 'tap'
import type { ModelDefinition } from '@modelwire/core'
import { makeApp } from '../make-app.ts'

const models: readonly ModelDefinition[] = [
  {
    name: 'Post',
    properties: {
      title: { type: 'string', required: true },
      status: 'string',
      views: 'number',
      secret: { type: 'string', hidden: true }
    },
    scopes: {
      published: { where: { status: 'published' } },
      newest: { order: 'id DESC', limit: 2 },
      marked: { where: { secret: 'x' } }
    }
  }
]

async function start(t: Parameters<typeof makeApp>[0]) {
  const test = await makeApp(t, models)
  await test.model('Post').create([
    { title: 'a', status: 'published', views: 5, secret: 'x' },
    { title: 'b', status: 'draft', views: 1 },
    { title: 'c', status: 'published', views: 9 }
  ])
  return test
}

void t.test('conditions add up, the scope’s limit and the caller’s order win', async (t) => {
  const test = await start(t)
  t.match((await test.get('/Posts/published')).body, [{ title: 'a' }, { title: 'c' }])
  t.match((await test.get('/Posts/published', { where: { views: { gt: 6 } } })).body, [{ title: 'c' }])
  t.match((await test.get('/Posts/newest', { limit: 3 })).body, [{ title: 'c' }, { title: 'b' }])
  t.match((await test.get('/Posts/newest', { order: 'id ASC' })).body, [{ title: 'a' }, { title: 'b' }])
  t.strictSame((await test.get('/Posts/newest/count')).body, { count: 3 }, 'a limit does not count')
  t.match((await test.get('/Posts/marked')).body, [{ title: 'a' }], 'a scope may name what clients must not')
})

void t.test('new records get the values of the scope', async (t) => {
  const test = await start(t)
  t.match((await test.send('POST', '/Posts/published', { title: 'd', status: 'draft' })).body, { status: 'published' })
  t.equal((await test.send('POST', '/Posts/published', {})).status, 422)
  t.equal((await test.send('POST', '/Posts/published', [{ title: 'e' }])).status, 422)
})

void t.test('deletes what the scope’s conditions select', async (t) => {
  const test = await start(t)
  t.equal((await test.send('DELETE', '/Posts/published?where={"title":"a"}')).status, 204)
  t.match((await test.get('/Posts')).body, [{ title: 'b' }])
})

void t.test('the class has a helper per scope', async (t) => {
  const test = await start(t)
  const { published } = test.model('Post') as unknown as {
    published: ((filter?: object) => Promise<unknown>) & Record<string, (...args: unknown[]) => Promise<unknown>>
  }
  t.match(await published({ where: { title: 'c' } }), [{ title: 'c' }])
  t.match(await published['findOne']?.(), { title: 'a' })
  t.match(await published['findById']?.(3), { title: 'c' })
  t.equal(await published['findById']?.(2), null)
  t.equal(await published['count']?.(), 2)
  t.match(published['build']?.({ title: 'x' }), { status: 'published' })
  t.match(await published['create']?.({ title: 'x' }), { status: 'published', id: 4 })
  t.strictSame(await published['updateAll']?.({ views: 0 }), { count: 3 })
  t.strictSame(await published['destroyAll']?.({ title: 'x' }), { count: 1 })
})
