import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { modelwire, type OperationContext } from '@modelwire/core'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { rest } from '#src/index.ts'

const form = (source: string) => ({
  accepts: { arg: 'given', type: 'object', http: { source } },
  returns: { arg: 'seen', type: 'string' }
})

async function serveForms(t: Test) {
  const app = Fastify({ requestTimeout: 1000 })
  t.teardown(() => app.close())
  const methods = { byRequest: form('req'), byContext: form('context'), byBody: form('body') }
  await app.register(modelwire, { models: [{ name: 'Note', base: 'Model', public: true, methods }] })
  Object.assign(app.models.get('Note'), {
    byRequest: (request: IncomingMessage) => text(request),
    byContext: ({ req }: OperationContext) => text(req as IncomingMessage), // the request of this call
    byBody: (body: unknown) => JSON.stringify(body)
  })
  await app.register(rest, { prefix: '/api' })
  return async (name: string, type: string) => {
    const request = { method: 'POST' as const, headers: { 'content-type': type }, payload: 'the form' }
    const answer = await app.inject({ ...request, url: `/api/Notes/${name}` })
    return [answer.statusCode, answer.json().seen ?? answer.json().error.code]
  }
}

t.test('a method that is handed the request reads a form with files itself', async (t) => {
  const ask = await serveForms(t)
  const type = 'multipart/form-data; boundary=x'
  t.strictSame(await ask('byRequest', type), [200, 'the form'])
  t.strictSame(await ask('byContext', 'Multipart/Form-Data;boundary=x'), [200, 'the form'])
  t.strictSame(await ask('byBody', type), [415, 'MEDIA_TYPE_UNSUPPORTED'])
})

t.test('other types are nobody’s', async (t) => {
  const ask = await serveForms(t)
  for (const type of ['text/plain', 'multipart/mixed; boundary=x', 'multipart/form-data-x'])
    t.strictSame(await ask('byRequest', type), [415, 'MEDIA_TYPE_UNSUPPORTED'], type)
})
