import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { type FormParsing, registerForms } from '#src/requests/forms.ts'

type Test = Pick<typeof t, 'teardown'>

class Refused extends Error {
  readonly code = 'REFUSED'
  readonly statusCode = 422
}

const refuse = (): never => {
  throw new Refused('refused')
}

const echo: FormParsing = { limit: 20, read: (bytes) => bytes, parse: (text) => ({ text }) }

async function serve(
  test: Test,
  parsing: Partial<FormParsing> = {},
  look: (scope: FastifyInstance) => void = () => undefined
): Promise<FastifyInstance> {
  const app = Fastify()
  test.teardown(() => app.close())
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    await registerForms(scope, { ...echo, ...parsing })
    look(scope)
    scope.route({ method: ['GET', 'POST'], url: '/', handler: async ({ body }) => ({ body: body ?? null }) })
  })
  return app
}

const type = 'application/x-www-form-urlencoded'

async function send(app: FastifyInstance, payload: string | Buffer | Readable, headers = {}): Promise<unknown[]> {
  const answer = await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type, ...headers }, payload })
  const { body, code } = answer.json<Record<string, unknown>>()
  return [answer.statusCode, code ?? body]
}

t.test('@fastify/formbody reads forms with the given parser', async (t) => {
  let isRegistered: boolean | undefined
  const app = await serve(t, {}, (scope) => {
    isRegistered = scope.hasPlugin('@fastify/formbody')
  })
  t.equal(isRegistered, true)
  t.strictSame(await send(app, 'a=ä'), [200, { text: 'a=ä' }])
  t.strictSame(await send(app, Readable.from(['a=', 'b'])), [200, { text: 'a=b' }], 'without a length')
  t.strictSame(await send(app, 'a=1', { 'content-type': `${type.toUpperCase()} ;charset=x` }), [200, { text: 'a=1' }])
  t.strictSame(await send(app, ''), [200, { text: '' }])
})

t.test('what the parser throws keeps its code and status', async (t) => {
  t.strictSame(await send(await serve(t, { parse: refuse }), 'a=1'), [422, 'REFUSED'])
  t.strictSame(await send(await serve(t, { read: refuse }), 'a=1'), [422, 'REFUSED'])
  t.strictSame(await send(await serve(t, { read: async () => refuse() }), 'a=1'), [422, 'REFUSED'])
})

t.test('the bytes are read before they become a text', async (t) => {
  const app = await serve(t, {
    read: (bytes, { headers }) => Buffer.from(`${bytes.toString('hex')},${String(headers['x-a'])}`)
  })
  t.strictSame(await send(app, Buffer.from([0xff, 0x00]), { 'x-a': 'b' }), [200, { text: 'ff00,b' }])
})

t.test('the limit counts what came and what is read of it', async (t) => {
  const tooLarge = [413, 'FST_ERR_CTP_BODY_TOO_LARGE']
  const app = await serve(t)
  t.strictSame(await send(app, 'x'.repeat(20)), [200, { text: 'x'.repeat(20) }])
  t.strictSame(await send(app, 'x'.repeat(21)), tooLarge)
  t.strictSame(await send(app, Readable.from(['x'.repeat(15), 'x'.repeat(15), 'x'.repeat(15)])), tooLarge)
  const larger = await serve(t, { read: (bytes) => Buffer.concat([bytes, bytes]) })
  t.strictSame(await send(larger, 'x'.repeat(11)), tooLarge)
})

t.test('a GET request with the type of a form has no body', async (t) => {
  const app = await serve(t, { parse: refuse })
  const answer = await app.inject({ method: 'GET', url: '/', headers: { 'content-type': type } })
  t.strictSame(answer.json(), { body: null })
})

t.test('a connection that ends within a form does not end the process', async (t) => {
  const app = await serve(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`
  for (const body of [
    'Content-Length: 9\r\n\r\na=1',
    `Transfer-Encoding: chunked\r\n\r\n1e\r\n${'x'.repeat(30)}\r\n`
  ]) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(head + body)
    socket.destroySoon()
    await once(socket, 'close')
  }
  t.strictSame(await send(app, 'a=1'), [200, { text: 'a=1' }])
})

t.test('forms of other scopes are read as the application says', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(formbody)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    await registerForms(scope, echo)
    scope.post('/', async ({ body }) => ({ body }))
  })
  app.post('/own', async ({ body }) => ({ body }))
  t.strictSame(await send(app, 'a=1'), [200, { text: 'a=1' }])
  const own = await app.inject({ method: 'POST', url: '/own', headers: { 'content-type': type }, payload: 'a=1' })
  t.strictSame(own.json(), { body: { a: '1' } })
})

t.test('a parser of the same scope is replaced', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(formbody)
  await registerForms(app, echo)
  app.post('/', async ({ body }) => ({ body }))
  t.strictSame(await send(app, 'a=1'), [200, { text: 'a=1' }])
})
