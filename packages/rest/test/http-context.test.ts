import type { IncomingMessage, ServerResponse } from 'node:http'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { type Collection, StatementCancelled } from '@modelwire/core/connector'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

type Method = (req: IncomingMessage, res: ServerResponse) => unknown

const source = (name: string) => ({ arg: name, type: 'object', http: { source: name } })

async function serve(t: Test, run: Method, options: RestOptions = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const methods = { run: { accepts: [source('req'), source('res')], returns: { arg: 'data', root: true }, http: {} } }
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Tool', base: 'Model', public: true, methods }]
  })
  Object.assign(app.models.get('Tool'), { run })
  await app.register(rest, { prefix: '/api', ...options })
  return app
}

const ask = (app: FastifyInstance) => app.inject({ method: 'POST', url: '/api/Tools/run' })

t.test('where nobody shows them otherwise, methods get the request and the response of Node', async (t) => {
  const app = await serve(t, (req, res) => {
    res.setHeader('x-head', 'h')
    return { url: req.url, request: 'get' in req, response: 'json' in res }
  })
  const answer = await ask(app)
  t.same(answer.json(), { url: '/api/Tools/run', request: false, response: false })
  t.equal(answer.headers['x-head'], 'h')
})

t.test('a method that ends the response of Node is not answered again', async (t) => {
  const app = await serve(t, (_req, res) => {
    res.writeHead(202, { 'content-type': 'text/plain' }).end('own')
    return { second: true }
  })
  const answer = await ask(app)
  t.equal(answer.statusCode, 202)
  t.equal(answer.body, 'own')
})

t.test('so does the handler of errors', async (t) => {
  const handler: NonNullable<NonNullable<RestOptions['errors']>['handler']> = (error, req, res) => {
    res.writeHead(418).end(`${req.method}: ${String(error)}`)
  }
  const fail = (): never => {
    throw new Error('broken')
  }
  const app = await serve(t, fail, { errors: { handler, log: false } })
  const answer = await ask(app)
  t.equal(answer.statusCode, 418)
  t.equal(answer.body, 'POST: Error: broken')
})

t.test('a read is given up when the time of its handler is over', async (t) => {
  const app = Fastify({ handlerTimeout: 50 })
  t.teardown(() => app.close())
  const [db, ends] = [memory(), [] as string[]]
  const collectionOf = db.collection.bind(db)
  const find: Collection['find'] = (_filter, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        ends.push('given up')
        reject(new StatementCancelled())
      })
    })
  db.collection = (model) => ({ ...collectionOf(model), find })
  app.addHook('onSend', async () => void ends.push('answered'))
  await app.register(modelwire, { dataSources: { db }, models: [{ name: 'Note', public: true }] })
  await app.register(rest, { prefix: '/api' })
  t.equal((await app.inject('/api/Notes')).statusCode, 503)
  t.strictSame(ends, ['given up', 'answered'])
})
