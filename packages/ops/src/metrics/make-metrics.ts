import type { HealthKind } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Readiness } from '../check-readiness.ts'
import { measureOperations } from './measure-operations.ts'
import { measurePools } from './measure-pools.ts'
import { measureStatements } from './measure-statements.ts'
import { measureStreams } from './measure-streams.ts'

/** The gauge of each kind of parts. */
const gauges: Readonly<Record<HealthKind, { readonly name: string; readonly help: string; readonly label: string }>> = {
  dataSources: {
    name: 'modelwire_data_source_up',
    help: '1 where the data source answers, else 0',
    label: 'data_source'
  },
  sharedState: { name: 'modelwire_shared_state_up', help: '1 where the shared state answers, else 0', label: 'store' },
  changeTransports: {
    name: 'modelwire_change_transport_up',
    help: '1 where changes of the data source can be carried by their transport, else 0',
    label: 'data_source'
  }
}

const kinds = ['dataSources', 'sharedState', 'changeTransports'] as const

function measureReadiness(registry: Registry, readiness: () => Promise<Readiness>): void {
  for (const kind of kinds) {
    const { label, ...facts } = gauges[kind]
    const gauge = new Gauge({
      ...facts,
      labelNames: [label],
      // Of several processes the one that reaches it worst.
      aggregator: 'min',
      registers: [],
      async collect() {
        for (const [name, health] of Object.entries((await readiness())[kind] ?? {}))
          this.set({ [label]: name }, health === 'up' ? 1 : 0)
      }
    })
    registry.registerMetric(gauge)
  }
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
