import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AlwaysOffSampler, type ReadableSpan } from '@opentelemetry/sdk-trace-node'
import t from 'tap'
import { loadTracing } from '#src/tracing/trace-server.ts'
import { makeApp } from '../make-app.ts'
import { makeTraced } from './make-traced.ts'

const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId
const childrenOf = (spans: readonly ReadableSpan[], parent: ReadableSpan | undefined): string[] =>
  spans.filter((span) => span.parentSpanContext?.spanId === idOf(parent)).map(({ name }) => name)

void t.test('an operation has a span with its name, and a child for each statement', async (t) => {
  const { app, spans } = await makeTraced(t)
  await app.inject('/api/Notes?filter={"where":{"text":"a secret"}}')
  const all = await spans('Note.find')
  const operation = all.find(({ name }) => name === 'Note.find')
  t.equal(operation?.kind, SpanKind.SERVER)
  t.match(operation?.attributes, {
    'http.request.method': 'GET',
    'http.route': '/api/Notes',
    'http.response.status_code': 200,
    'modelwire.model': 'Note',
    'modelwire.operation': 'find'
  })
  const statement = all.find(({ name }) => name === 'select db')
  t.equal(statement?.kind, SpanKind.CLIENT)
  t.strictSame(statement?.attributes, {
    'db.system.name': 'sqlite',
    'db.operation.name': 'select',
    'modelwire.data_source': 'db'
  })
  t.ok(childrenOf(all, operation).includes('select db'))
  t.notMatch(JSON.stringify(all.map(({ name, attributes, events }) => [name, attributes, events])), 'secret')
})

void t.test('what a body is read for belongs to its span, too', async (t) => {
  const { app, spans } = await makeTraced(t)
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { id: 'a', text: 'a secret' } })
  const all = await spans('Note.create')
  t.ok(
    childrenOf(
      all,
      all.find(({ name }) => name === 'Note.create')
    ).includes('insert db')
  )
})

void t.test('a failure is told by its kind alone: messages hold values', async (t) => {
  const { app, spans } = await makeTraced(t)
  const payload = { id: 'a secret' }
  await app.inject({ method: 'POST', url: '/api/Notes', payload })
  await app.inject({ method: 'POST', url: '/api/Notes', payload })
  const failed = (await spans('insert db')).find(({ status }) => status.code === SpanStatusCode.ERROR)
  t.equal(failed?.name, 'insert db')
  t.equal(failed?.attributes['error.type'], 'SQLITE_CONSTRAINT_PRIMARYKEY')
  t.equal(failed?.status.message, undefined)
  t.strictSame(failed?.events, [])
})

void t.test('errors of clients are no errors of the server', async (t) => {
  const { app, spans } = await makeTraced(t)
  app.models.get('Note').observe('access', async () => {
    throw new Error('a secret')
  })
  await app.inject('/api/Notes/9')
  await app.inject('/api/Notes/count?where=%5B')
  const [broken] = (await spans('Note.findById')).filter(({ name }) => name === 'Note.findById')
  const [refused] = (await spans('Note.count')).filter(({ name }) => name === 'Note.count')
  t.match(broken, { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': '500' } })
  t.match(refused, { status: { code: SpanStatusCode.UNSET }, attributes: { 'http.response.status_code': 400 } })
})

void t.test('the trace of a client goes on, or that of what is around', async (t) => {
  const { app, spans } = await makeTraced(t)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await app.inject({ url: '/api/Notes', headers: { traceparent } })
  const [operation] = (await spans('Note.find')).filter(({ name }) => name === 'Note.find')
  t.equal(operation?.spanContext().traceId, '0af7651916cd43dd8448eb211c80319c')
  t.equal(operation?.parentSpanContext?.spanId, 'b7ad6b7169203331')
  const outer = trace.getTracer('test')
  await outer.startActiveSpan('outer', async (span) => {
    await app.inject('/api/Notes/count')
    span.end()
  })
  const inner = (await spans('Note.count')).find(({ name }) => name === 'Note.count')
  t.equal(inner?.kind, SpanKind.INTERNAL)
  t.equal(idOf((await spans('outer')).find(({ name }) => name === 'outer')), inner?.parentSpanContext?.spanId)
})

void t.test('requests that are not sampled leave nothing behind, and neither do their statements', async (t) => {
  const { app, exporter } = await makeTraced(t, { sampler: new AlwaysOffSampler() })
  t.equal((await app.inject('/api/Notes')).statusCode, 200)
  t.equal((await app.inject({ method: 'POST', url: '/api/Notes', payload: { id: 'a' } })).statusCode, 200)
  t.strictSame(exporter.getFinishedSpans(), [])
})

void t.test('a share of the requests begins traces; those that belong to one are in it as it says', async (t) => {
  const { app, spans, exporter } = await makeTraced(t, { tracing: { share: Number.MIN_VALUE } })
  for (let count = 0; count < 20; count++) await app.inject('/api/Notes')
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331'
  await app.inject({ url: '/api/Notes/count', headers: { traceparent: `${parent}-00` } })
  t.strictSame(exporter.getFinishedSpans(), [])
  await app.inject({ url: '/api/Notes', headers: { traceparent: `${parent}-01` } })
  t.ok((await spans('Note.find')).some(({ name }) => name === 'select db'))
})

void t.test('a share of one is all of them', async (t) => {
  const { app, spans } = await makeTraced(t, { tracing: { share: 1 } })
  await app.inject('/api/Notes')
  t.equal((await spans('Note.find')).filter(({ name }) => name === 'Note.find').length, 1)
})

void t.test('tracing without an SDK does nothing, and without the API is refused', async (t) => {
  const app = await makeApp(t, { tracing: true })
  t.equal((await app.inject('/api/Notes')).statusCode, 200)
  const absent = async (): Promise<never> => {
    throw new Error("Cannot find package '@opentelemetry/api'")
  }
  await t.rejects(loadTracing(absent), { code: 'OPTION_INVALID', message: /@opentelemetry\/api is not installed/ })
})
