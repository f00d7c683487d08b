import { FastifyOtelInstrumentation } from '@fastify/otel'
import { trace } from '@opentelemetry/api'
import { AlwaysOffSampler, type ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { collectLines } from '../log-lines.ts'
import { makeTraced, type Traced, type TracedOptions } from './make-traced.ts'

interface Line {
  readonly msg: string
  readonly reqId?: string
  readonly trace_id?: string
  readonly span_id?: string
}

interface Logged extends Traced {
  /** The lines of requests, once so many have been answered. */
  readonly linesOf: (requests: number) => Promise<readonly Line[]>
}

/** A traced server that logs a line of its own for each request. */
async function makeLogged(t: Test, { before, ...options }: TracedOptions = {}): Promise<Logged> {
  const { stream, lines } = collectLines()
  const traced = await makeTraced(t, {
    ...options,
    stream,
    before: async (app) => {
      await before?.(app)
      app.addHook('preHandler', async ({ log }) => log.info('a line of the application'))
    }
  })
  const read = (): Line[] => lines.map((line) => JSON.parse(line) as Line).filter(({ reqId }) => reqId !== undefined)
  const isOver = ({ msg }: Line): boolean => msg === 'request completed'
  const linesOf = async (requests: number): Promise<readonly Line[]> => {
    await until(() => read().filter(isOver).length === requests, 'the requests to be over')
    return read()
  }
  return { ...traced, linesOf }
}

const idsOf = (lines: readonly Line[], text: string): unknown[] =>
  lines.filter(({ msg }) => msg === text).map(({ trace_id, span_id }) => [trace_id, span_id])

const idsOfSpans = (spans: readonly ReadableSpan[], wanted: string): unknown[] =>
  spans.filter(({ name }) => name === wanted).map((span) => [span.spanContext().traceId, span.spanContext().spanId])

void t.test('lines about a request that is traced carry its trace and span', async (t) => {
  const { app, spans, linesOf } = await makeLogged(t)
  await app.inject('/api/Notes')
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { id: 'a' } })
  const lines = await linesOf(2)
  const all = await spans('Note.create')
  const wanted = [...idsOfSpans(all, 'Note.find'), ...idsOfSpans(all, 'Note.create')]
  t.equal(wanted.length, 2)
  for (const text of ['a line of the application', 'request completed']) t.strictSame(idsOf(lines, text), wanted, text)
})

void t.test('lines about a failure carry them, too', async (t) => {
  const { app, spans, linesOf } = await makeLogged(t)
  app.models.get('Note').observe('access', async () => {
    throw new Error('it is broken')
  })
  await app.inject('/api/Notes')
  const lines = await linesOf(1)
  t.strictSame(idsOf(lines, 'the request failed'), idsOfSpans(await spans('Note.find'), 'Note.find'))
  t.equal(idsOf(lines, 'the request failed').length, 1)
})

void t.test('lines about requests that are not traced have neither', async (t) => {
  const { app, linesOf } = await makeLogged(t, { sampler: new AlwaysOffSampler() })
  await app.inject('/api/Notes')
  const shared = await makeLogged(t, { tracing: { share: Number.MIN_VALUE } })
  await shared.app.inject('/api/Notes')
  for (const lines of [await linesOf(1), await shared.linesOf(1)]) {
    t.equal(lines.length, 3)
    t.notOk(lines.some((line) => 'trace_id' in line || 'span_id' in line))
  }
})

void t.test('with @fastify/otel they carry the span that it made', async (t) => {
  const before: TracedOptions['before'] = async (app) => {
    const instrumentation = new FastifyOtelInstrumentation({ instrumentHooks: false, instrumentHandler: false })
    instrumentation.setTracerProvider(trace.getTracerProvider())
    await app.register(instrumentation.plugin())
  }
  const { app, spans, linesOf } = await makeLogged(t, { before })
  await app.inject('/api/Notes')
  const ids = idsOf(await linesOf(1), 'a line of the application')
  t.strictSame(ids, idsOfSpans(await spans('Note.find'), 'Note.find'))
  t.equal(ids.length, 1)
})
