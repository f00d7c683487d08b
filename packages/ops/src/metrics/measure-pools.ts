import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'

type State = 'open' | 'idle' | 'waiting'

/** Counts the connections of data sources that have pools, and the callers that wait for one. */
export function measurePools({ models }: Pick<FastifyInstance, 'models'>, registry: Registry): void {
  const gauge = new Gauge({
    name: 'modelwire_pool_connections',
    help: 'Connections of a data source: open, idle among these, and callers that wait for one',
    labelNames: ['data_source', 'state'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const { name, connector } of models.dataSources.values()) {
        const pools = connector.activity?.pools?.() ?? []
        const set = (state: State): void =>
          this.set(
            { data_source: name, state },
            pools.reduce((sum, pool) => sum + pool[state], 0)
          )
        if (pools.length > 0) (['open', 'idle', 'waiting'] as const).forEach(set)
      }
    }
  })
  registry.registerMetric(gauge)
}
