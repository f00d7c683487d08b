import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Readiness } from '../check-readiness.ts'
import { measureOperations } from './measure-operations.ts'
import { measurePools } from './measure-pools.ts'
import { measureStatements } from './measure-statements.ts'
import { measureStreams } from './measure-streams.ts'

function measureReadiness(registry: Registry, readiness: () => Promise<Readiness>): void {
  const gauge = new Gauge({
    name: 'modelwire_data_source_up',
    help: '1 where the data source answers, else 0',
    labelNames: ['data_source'] as const,
    // Of several processes the one that reaches it worst.
    aggregator: 'min',
    registers: [],
    async collect() {
      for (const [name, state] of Object.entries((await readiness()).dataSources))
        this.set({ data_source: name }, state === 'up' ? 1 : 0)
    }
  })
  registry.registerMetric(gauge)
}

/**
 * Measures a server. Labels are made of models, operations, data sources, and words of fixed lists alone, so that no client can add any.
 * @returns the registry of prom-client that holds what was measured
 */
export function makeMetrics(app: FastifyInstance, readiness: () => Promise<Readiness>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'modelwire_processes', help: 'Processes whose metrics these are', registers: [registry] }).set(1)
  measureReadiness(registry, readiness)
  measureOperations(app, registry)
  measureStatements(app, registry)
  measurePools(app, registry)
  measureStreams(app, registry)
  return registry
}
