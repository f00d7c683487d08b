import { modelwire, type OperationContext } from '@modelwire/core'
import Fastify from 'fastify'
import { pipeline } from 'node:stream/promises'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import { rest } from '#src/index.ts'

t.test('an answer that a method writes itself has the headers of plugins', async (t) => {
  const app = Fastify({ requestTimeout: 1000 })
  t.teardown(() => app.close())
  const response = { arg: 'res', type: 'object', http: { source: 'res' } }
  const context = { arg: 'context', type: 'object', http: { source: 'context' } }
  const methods = { pipe: { accepts: response }, end: { accepts: context } }
  await app.register(modelwire, { models: [{ name: 'Note', base: 'Model', public: true, methods }] })
  Object.assign(app.models.get('Note'), {
    pipe: (raw: ServerResponse) => pipeline(Readable.from(['a', 'b']), raw),
    end: ({ res }: OperationContext) => void (res as ServerResponse).setHeader('x-own', '2').end('ab')
  })
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-plugin', '1').header('x-own', '1'))
  await app.register(rest, { prefix: '/api', cors: true })
  const ask = async (name: string) => app.inject({ url: `/api/Notes/${name}`, headers: { origin: 'http://x' } })
  t.match(await ask('pipe'), { statusCode: 200, body: 'ab', headers: { 'x-plugin': '1', 'x-own': '1' } })
  t.match(await ask('end'), { body: 'ab', headers: { 'x-plugin': '1', 'x-own': '2' } })
  t.ok((await ask('pipe')).headers['access-control-allow-origin'])
})
