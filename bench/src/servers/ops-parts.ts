import { ops } from '@modelwire/ops'
import type { FastifyInstance } from 'fastify'

/** What is measured of a server: nothing, metrics, one request in a hundred as a trace, the same by `@fastify/otel`. */
export type Observed = 'not' | 'metrics' | 'traced' | 'instrumented'

/** The share of requests that are traced. */
const share = 0.01

/** An SDK as applications set it up, whose spans go nowhere. */
async function setUpTracing(): Promise<void> {
  const { BatchSpanProcessor, InMemorySpanExporter, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const provider = new NodeTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new InMemorySpanExporter())]
  })
  provider.register()
}

/** Registers `ops`, and what it needs. */
export async function addOps(app: FastifyInstance, observed: Observed): Promise<void> {
  if (observed === 'not') return
  if (observed !== 'metrics') await setUpTracing()
  if (observed === 'instrumented') {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    await app.register(new FastifyOtelInstrumentation({ instrumentHooks: false, instrumentHandler: false }).plugin())
  }
  const isTraced = observed !== 'metrics'
  await app.register(ops, { metrics: !isTraced, tracing: isTraced && { share } })
}
