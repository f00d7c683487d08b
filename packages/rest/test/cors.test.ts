import t from 'tap'
import type { RestOptions } from '#src/index.ts'
import { product, startApp } from './specification/start-app.ts'

type Test = Parameters<typeof startApp>[0]

const origin = 'http://shop.example'

async function corsHeaders(
  t: Test,
  version: 2 | 3,
  cors: RestOptions['cors'],
  method: 'GET' | 'OPTIONS' = 'GET'
): Promise<unknown> {
  const app = startApp(t, { models: [product], core: { version }, rest: cors === undefined ? {} : { cors } })
  const headers = { origin, 'access-control-request-method': 'PUT' }
  const answer = await app.inject({ method, url: '/api/Products', headers })
  return [
    answer.statusCode,
    answer.headers['access-control-allow-origin'],
    answer.headers['access-control-allow-credentials']
  ]
}

t.test('CORS is on by default in version 2 alone', async (t) => {
  t.strictSame(await corsHeaders(t, 2, undefined), [200, origin, 'true'])
  t.strictSame(await corsHeaders(t, 2, false), [200, undefined, undefined])
  t.strictSame(await corsHeaders(t, 3, undefined), [200, undefined, undefined])
  t.strictSame(await corsHeaders(t, 3, true), [200, origin, 'true'])
})

t.test('a preflight is answered below the prefix', async (t) => {
  t.strictSame(await corsHeaders(t, 3, true, 'OPTIONS'), [204, origin, 'true'])
  t.strictSame(await corsHeaders(t, 3, { origin: ['http://other.example'] }), [200, undefined, undefined])
  t.strictSame(await corsHeaders(t, 3, { origin: [origin] }), [200, origin, undefined])
})

t.test('an error tells its origin too', async (t) => {
  const app = startApp(t, { models: [product], rest: { cors: true } })
  const answer = await app.inject({ url: '/api/Products/99', headers: { origin } })
  t.strictSame([answer.statusCode, answer.headers['access-control-allow-origin']], [404, origin])
})
