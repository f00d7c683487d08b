import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Readiness } from './check-readiness.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that a route of a model answers with, where `rest` added it. */
    operation?: { readonly name: string; readonly model: { readonly name: string } }
  }
}

/** Seconds: from an answer out of memory to a call that nearly runs out of time. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Measures the operations of a server. Labels are made of models, operations and status codes alone, so that no client can add any.
 * @returns the registry of prom-client that holds what was measured
 */
export function makeMetrics(app: FastifyInstance, readiness: () => Promise<Readiness>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const operations = new Histogram({
    name: 'modelwire_operation_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by model, operation and status',
    labelNames: ['model', 'operation', 'status'] as const,
    buckets,
    registers: [registry]
  })
  const dataSources = new Gauge({
    name: 'modelwire_data_source_up',
    help: '1 where the data source answers, else 0',
    labelNames: ['data_source'] as const,
    registers: [],
    async collect() {
      for (const [name, state] of Object.entries((await readiness()).dataSources))
        this.set({ data_source: name }, state === 'up' ? 1 : 0)
    }
  })
  registry.registerMetric(dataSources)
  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation !== undefined)
      operations.observe(
        { model: operation.model.name, operation: operation.name, status: reply.statusCode },
        reply.elapsedTime / 1000
      )
    done()
  })
  return registry
}
