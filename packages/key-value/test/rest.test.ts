import t, { type Test } from 'tap'
import type { ModelDefinition } from '@modelwire/core'
import { serveKeys } from './serve-keys.ts'

async function withClient(t: Test, others: readonly ModelDefinition[] = []) {
  const app = await serveKeys(t, others)
  const get = async (path: string) => {
    const { statusCode, body } = await app.inject(`/api/Caches${path}`)
    return [statusCode, body === '' ? undefined : JSON.parse(body)] as const
  }
  const put = async (path: string, value?: unknown) => {
    const { statusCode, body } = await app.inject({
      method: 'PUT',
      url: `/api/Caches${path}`,
      ...(value !== undefined && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(value) })
    })
    return [statusCode, body === '' ? undefined : JSON.parse(body)] as const
  }
  return { app, get, put }
}

t.test('values are set and given back, whatever they are', async (t) => {
  const { get, put } = await withClient(t)
  for (const value of [{ x: 1 }, [1, 2], 'text', 0, false, 1.5, { a: { b: [null] } }]) {
    t.strictSame(await put('/a', value), [204, undefined])
    t.strictSame(await get('/a'), [200, value], JSON.stringify(value))
  }
  await put('/a%2Fb', 1)
  t.strictSame(await get('/a%2Fb'), [200, 1])
})

t.test('a key without a value is a 404', async (t) => {
  const { app, get, put } = await withClient(t)
  const error = { statusCode: 404, code: 'KEY_NOT_FOUND' }
  t.match(await get('/none'), [404, { error: { ...error, message: 'Unknown "Cache" key "none".' } }])
  t.match(await get('/none/ttl'), [404, { error }])
  t.match(await put('/none/expire', { ttl: 1000 }), [404, { error }])
  t.equal((await app.inject({ method: 'HEAD', url: '/api/Caches/none' })).statusCode, 404)
})

t.test('values have a time to live', async (t) => {
  const { get, put } = await withClient(t)
  await put('/a', 1)
  t.strictSame(await get('/a/ttl'), [204, undefined], 'for ever')
  await put('/b?ttl=60000', 1)
  const [status, left] = await get('/b/ttl')
  t.equal(status, 200)
  t.ok(left > 50_000 && left <= 60_000)
  t.strictSame(await put('/a/expire', { ttl: 100_000 }), [204, undefined])
  t.ok((await get('/a/ttl'))[1] > 60_000)
  await put('/a', 2)
  t.strictSame(await get('/a/ttl'), [204, undefined], 'a new value has none of the old one')
})

t.test('what is no time or no value is a 400', async (t) => {
  const { get, put } = await withClient(t)
  for (const ttl of ['0', '-1', 'abc', '1e20']) t.match(await put(`/a?ttl=${ttl}`, 1), [400], ttl)
  for (const value of [{ ttl: 0 }, { ttl: -5 }, {}, { ttl: 'x' }, { ttl: '70000' }])
    t.match(await put('/a/expire', value), [400], JSON.stringify(value))
  t.match(await put('/a', null), [400])
  t.match(await get('/a'), [404])
})

t.test('keys are listed', async (t) => {
  const { get, put } = await withClient(t)
  t.strictSame(await get('/keys'), [200, []])
  for (const key of ['a1', 'a2', 'b1']) await put(`/${key}`, 1)
  t.strictSame(await get('/keys'), [200, ['a1', 'a2', 'b1']])
  t.strictSame(await get('/keys?filter[match]=a*'), [200, ['a1', 'a2']])
  t.strictSame(await get('/keys?filter={"match":"[ab]1"}'), [200, ['a1', 'b1']])
  for (const filter of ['filter=5', 'filter[match][x]=1', 'filter[limit]=0'])
    t.match(await get(`/keys?${filter}`), [400], filter)
})

t.test('there is nothing else', async (t) => {
  const { app } = await withClient(t)
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', '/a'],
    ['POST', '/a'],
    ['GET', '/a/x']
  ] as const)
    t.equal((await app.inject({ method, url: `/api/Caches${path}` })).statusCode, 404, `${method} ${path}`)
})

t.test('only models that extend KeyValueModel have routes, and a model may declare its own', async (t) => {
  const methods = {
    get: {
      accepts: { arg: 'key', type: 'string' },
      returns: { arg: 'value', type: 'any' },
      http: { verb: 'get', path: '/value' }
    }
  }
  const { app } = await withClient(t, [
    { name: 'Plain', base: 'Model', public: true },
    { name: 'Other', base: 'Cache', public: true, methods }
  ])
  t.equal((await app.inject('/api/Plains/keys')).statusCode, 404)
  t.match((await app.inject('/api/Others/value?key=a')).json(), { value: null })
  t.strictSame((await app.inject('/api/Others/keys')).json(), [])
})
