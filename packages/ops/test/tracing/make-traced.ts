import type { Writable } from 'node:stream'
import { context, propagation, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor
} from '@opentelemetry/sdk-trace-node'
import { sqlite } from '@modelwire/connector-sqlite'
import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { until } from '@modelwire/test-waits'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { ops, type OpsOptions } from '#src/index.ts'

/** A server whose spans are kept. */
export interface Traced {
  readonly app: FastifyInstance
  /** The spans of the requests that have ended, once there is one of this name. */
  readonly spans: (name: string) => Promise<ReadableSpan[]>
  readonly exporter: InMemorySpanExporter
}

/** How the SDK of a test samples, and what is registered before `ops`. */
export interface TracedOptions {
  readonly sampler?: Sampler
  readonly tracing?: OpsOptions['tracing']
  /** What the server logs. */
  readonly stream?: Writable
  readonly before?: (app: FastifyInstance) => Promise<void>
}

/** Sets OpenTelemetry up as an application does, for the time of the test. */
function setUpSdk(t: Test, sampler?: Sampler): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({
    ...(sampler && { sampler: new ParentBasedSampler({ root: sampler }) }),
    spanProcessors: [new SimpleSpanProcessor(exporter)]
  })
  provider.register()
  t.teardown(async () => {
    await provider.shutdown()
    trace.disable()
    context.disable()
    propagation.disable()
  })
  return exporter
}

/** A server of notes in SQLite whose operations and statements are traced. */
export async function makeTraced(
  t: Test,
  { sampler, before, stream, tracing = true }: TracedOptions = {}
): Promise<Traced> {
  const exporter = setUpSdk(t, sampler)
  const app = Fastify({ logger: stream === undefined ? false : { stream } })
  t.teardown(async () => app.close())
  const db = sqlite({ file: ':memory:' })
  const properties = { id: { type: 'string', id: true }, text: 'string' } as const
  await before?.(app)
  await app.register(modelwire, { dataSources: { db }, models: [{ name: 'Note', public: true, properties }] })
  await app.register(ops, { tracing })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  await db.migrate?.([app.models.typeOf('Note')], { empty: true })
  exporter.reset()
  const spans = async (name: string): Promise<ReadableSpan[]> => {
    await until(() => exporter.getFinishedSpans().some((span) => span.name === name), `the span ${name}`)
    return exporter.getFinishedSpans()
  }
  return { app, spans, exporter }
}
