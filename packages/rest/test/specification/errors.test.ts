import t from 'tap'
import { product, send, startApp } from './start-app.ts'

const explode = { methods: { explode: { http: { path: '/explode', verb: 'get' } } } }

/** A server whose method `explode` fails for a reason of its own. */
async function startExploding(
  t: { teardown: (handler: () => unknown) => void },
  parts: { core?: object; rest?: object } = {}
) {
  const app = startApp(t, { models: [{ ...product, ...explode }], ...parts })
  await app.after()
  Object.assign(app.models.get('Product'), {
    async explode() {
      throw new Error('the secret reason')
    }
  })
  return app
}

void t.test('2xx is success, 4xx a problem of the request, 5xx one of the server', async (t) => {
  const app = await startExploding(t)
  t.equal((await send(app, 'GET /Products'))[0], 200)
  t.equal((await send(app, 'POST /Products', {}))[0], 422)
  t.equal((await send(app, 'GET /Products/explode'))[0], 500)
})

void t.test('an error body holds error with message and statusCode, and the stack only with debug', async (t) => {
  const plain = await startExploding(t)
  t.strictSame(await send(plain, 'GET /Products/explode'), [
    500,
    { error: { statusCode: 500, message: 'Internal Server Error' } }
  ])
  t.match((await send(plain, 'GET /Products/9'))[1], { error: { statusCode: 404, message: String } })
  const debug = await startExploding(t, { rest: { errors: { debug: true } } })
  t.match((await send(debug, 'GET /Products/explode'))[1], {
    error: { message: 'the secret reason', stack: /errors\.test/ }
  })
})

void t.test('in version 2 the error carries status', async (t) => {
  const app = startApp(t, { models: [product], core: { version: 2 } })
  // LB2: `statusCode` stands beside it, as a property of the error that is thrown; pinned by version2/errors.
  t.match((await send(app, 'GET /Products/9'))[1], { error: { status: 404, statusCode: 404 } })
  const exploding = await startExploding(t, { core: { version: 2 } })
  const [, body] = await send(exploding, 'GET /Products/explode')
  t.match(body, { error: { status: 500, message: 'the secret reason', stack: String } })
  t.notOk('statusCode' in (body as { error: object }).error, 'in its place')
})

const missing = ['GET /Products/9', 'PATCH /Products/9', 'PUT /Products/9', 'POST /Products/9/replace']

void t.test('a missing record is a 404 that says so', async (t) => {
  const app = startApp(t, { models: [product] })
  for (const call of missing) {
    const [status, body] = await send(app, call, call.startsWith('GET') ? undefined : { name: 'x' })
    t.equal(status, 404, call)
    t.match(body, { error: { message: /^no product /i } }, call)
  }
})

const wronglyEncoded = [
  'GET /Products?filter={"where":',
  'GET /Products?filter=[1]',
  'GET /Products?filter=5',
  'GET /Products?filter=%20{}',
  'GET /Products/count?where=x',
  'GET /Products?filter[where][price][inq]=3'
]

void t.test('arguments that are wrongly encoded are 400', async (t) => {
  const app = startApp(t, { models: [product] })
  for (const call of wronglyEncoded) t.equal((await send(app, call))[0], 400, call)
})

void t.test('updateOrCreate takes a list in version 2 alone', async (t) => {
  const list = [{ name: 'Lamp' }, { name: 'Desk' }]
  for (const [version, status] of [
    [3, 400],
    [2, 200]
  ] as const) {
    const app = startApp(t, { models: [product], core: { version } })
    t.equal((await send(app, 'PATCH /Products', list))[0], status, `version ${version}`)
  }
})
