import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { ExpressResponse } from '#src/express/express-objects.ts'
import { loopbackExpress } from '#src/express/plugin.ts'

const v = { arg: 'v', type: 'any' }
const res = { arg: 'res', type: 'object', http: { source: 'res' } }
const http = { verb: 'get' }
const body = { arg: 'data', type: 'string', root: true }

const methods = {
  set: { accepts: [v, res], returns: body, http },
  named: { accepts: [v, res], returns: body, http },
  answered: { accepts: [v, res], returns: body, http },
  code: { accepts: [v, res], returns: body, http },
  sent: { accepts: [v, res], returns: body, http },
  led: { accepts: [v, res], returns: body, http },
  coded: { accepts: [v, res], returns: body, http }
}

type Value = string & number
const functions: Readonly<Record<keyof typeof methods, (value: Value, response: ExpressResponse) => unknown>> = {
  set: (value, response) => void response.set('X-Head', value),
  named: (value, response) => void response.set(value, 'x'),
  answered: (value, response) => void response.set({ 'X-Head': value }).send('x'),
  code: (value, response) => void response.status(value),
  sent: (value, response) => void response.sendStatus(value),
  led: (value, response) => response.redirect(Number(value), '/'),
  coded: (value, response) => void response.status(value).json({})
}

async function serve(t: Test): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Tool', base: 'Model', public: true, methods }]
  })
  Object.assign(app.models.get('Tool'), functions)
  await app.register(loopbackExpress)
  await app.register(rest, { prefix: '/api' })
  return app
}

const broken = ['a\r\nSet-Cookie:x=1', 'a\nb', '\0', '漢', '\u007f']
const inHeaders = ['set', 'answered'] as const
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

t.test('so is a name that no header can have', async (t) => {
  const app = await serve(t)
  for (const value of [...broken, 'a b', 'a:b', 'ä']) {
    t.match((await ask(app, 'named', value)).json(), { error: { statusCode: 500, code: 'ANSWER_INVALID' } }, value)
  }
})

t.test('so is a status that no answer can have', async (t) => {
  const app = await serve(t)
  for (const method of ['code', 'sent', 'led', 'coded']) {
    for (const value of ['x', 0, -200, 99, 100, 101, 199, 600, 1000, 200.5, '1e999', '{}']) {
      const answer = await ask(app, method, value)
      t.match(answer.json(), { error: { statusCode: 500, code: 'ANSWER_INVALID' } }, `${method} ${String(value)}`)
    }
    t.equal((await ask(app, method, 202)).statusCode, 202, method)
  }
})
