import { FastifyOtelInstrumentation } from '@fastify/otel'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { makeTraced } from './make-traced.ts'

const register =
  (options: ConstructorParameters<typeof FastifyOtelInstrumentation>[0] = {}) =>
  async (app: FastifyInstance): Promise<void> => {
    const instrumentation = new FastifyOtelInstrumentation(options)
    instrumentation.setTracerProvider(trace.getTracerProvider())
    await app.register(instrumentation.plugin())
  }

void t.test('the span of @fastify/otel gets the name of the operation, and its statements', async (t) => {
  const before = register({ instrumentHooks: false, instrumentHandler: false })
  const { app, spans } = await makeTraced(t, { before })
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { id: 'a', text: 'a secret' } })
  const all = await spans('Note.create')
  const request = all.find(({ name }) => name === 'Note.create')
  t.match(request?.attributes, { 'http.route': '/api/Notes', 'modelwire.operation': 'create' })
  const insert = all.find(({ name }) => name === 'insert db')
  t.equal(insert?.parentSpanContext?.spanId, request?.spanContext().spanId)
  t.equal(all.filter(({ name }) => name === 'Note.create').length, 1, 'there is one span per request')
})

void t.test('with spans of hooks and handlers statements stay in the trace of their request', async (t) => {
  const { app, spans } = await makeTraced(t, { before: register() })
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { id: 'a' } })
  const all = await spans('Note.create')
  const traceId = all.find(({ name }) => name === 'Note.create')?.spanContext().traceId
  t.equal(all.find(({ name }) => name === 'insert db')?.spanContext().traceId, traceId)
})

void t.test('routes without an operation keep the name that it gave them', async (t) => {
  const { app, spans } = await makeTraced(t, { before: register({ instrumentHooks: false }) })
  await app.inject('/live')
  t.equal((await spans('request')).filter(({ name }) => name.startsWith('Note')).length, 0)
})

void t.test('as the documentation registers it, spans hold neither queries nor messages of errors', async (t) => {
  const before = register({
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    requestHook: (span, { url }) => span.setAttribute('url.path', url.split('?', 1)[0] ?? '')
  })
  const { app, spans } = await makeTraced(t, { before })
  app.models.get('Note').observe('access', async () => {
    throw new Error('a secret message')
  })
  t.equal((await app.inject('/api/Notes?access_token=secret')).statusCode, 500)
  const [request] = (await spans('Note.find')).filter(({ name }) => name === 'Note.find')
  t.equal(request?.attributes['url.path'], '/api/Notes')
  t.equal(request?.status.code, SpanStatusCode.ERROR)
  t.notMatch(JSON.stringify([request?.attributes, request?.status, request?.events]), 'secret')
})
