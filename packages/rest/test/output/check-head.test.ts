import { Readable } from 'node:stream'
import { memory } from '@modelwire/connector-memory'
import { modelwire, type OperationContext } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const v = { arg: 'v', type: 'any' }
const http = { verb: 'get' }
const toHeader = { arg: 'head', type: 'string', http: { target: 'header', header: 'X-Head' } }
const toStatus = { arg: 'status', type: 'number', http: { target: 'status' } }
const body = { arg: 'data', type: 'string', root: true }
const stream = { arg: 'data', type: 'ReadableStream', json: true, root: true }

const methods = {
  head: { accepts: v, returns: [body, toHeader], http },
  later: { accepts: v, returns: [body, toHeader], http },
  onlyHead: { accepts: v, returns: toHeader, http },
  file: { accepts: v, returns: [{ ...body, type: 'file' }, toHeader], http },
  hooked: { accepts: v, returns: body, http },
  status: { accepts: v, returns: [body, toStatus], http },
  streamed: { accepts: v, returns: [stream, toStatus], http }
}

type Value = string & number
const functions: Readonly<Record<keyof typeof methods, (value: Value) => unknown>> = {
  head: (value) => ['x', value],
  later: async (value) => ['x', value],
  onlyHead: (value) => value,
  file: (value) => ['x', value],
  hooked: (value) => value,
  status: (value) => ['x', value],
  streamed: (value) => [Readable.from([{}]), value]
}

async function serve(t: Test): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Tool', base: 'Model', public: true, methods }]
  })
  Object.assign(app.models.get('Tool'), functions)
  app.models.remoteHooks.add('after', 'Tool.hooked', async (context: OperationContext) => {
    context.headers = { 'X-Head': String(context.args['v']) }
  })
  await app.register(rest, { prefix: '/api' })
  return app
}

const broken = ['a\r\nSet-Cookie:x=1', 'a\nb', '\0', '漢', '\u007f']
const inHeaders = ['head', 'later', 'onlyHead', 'file', 'hooked'] as const
const ask = (app: FastifyInstance, method: string, value: unknown) =>
  app.inject(`/api/Tools/${method}?v=${encodeURIComponent(String(value))}`)

t.test('a value that no header can have is answered by an error', async (t) => {
  const app = await serve(t)
  for (const method of inHeaders) {
    for (const value of broken) {
      const answer = await ask(app, method, value)
      t.equal(answer.statusCode, 500, method)
      t.match(answer.json(), { error: { statusCode: 500, code: 'ANSWER_INVALID' } }, method)
      t.notOk(answer.headers['set-cookie'])
    }
    const fine = await ask(app, method, 'a é "b"')
    t.ok(fine.statusCode < 300, method)
    t.equal(fine.headers['x-head'], 'a é "b"')
  }
})

t.test('so is a status that no answer can have', async (t) => {
  const app = await serve(t)
  for (const method of ['status', 'streamed']) {
    for (const value of ['x', 0, -200, 99, 100, 101, 199, 600, 1000, 200.5, '1e999', '{}']) {
      const answer = await ask(app, method, value)
      t.match(answer.json(), { error: { statusCode: 500, code: 'ANSWER_INVALID' } }, `${method} ${String(value)}`)
    }
    t.equal((await ask(app, method, 202)).statusCode, 202, method)
  }
})
