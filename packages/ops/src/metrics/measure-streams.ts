import { countStreams, type StreamCount } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

const labelNames = ['model'] as const

interface Total {
  readonly name: string
  readonly help: string
  readonly read: (count: StreamCount) => number
}

/** What only grows. */
const totals: readonly Total[] = [
  {
    name: 'modelwire_change_events_total',
    help: 'Events that change streams were given: one for two streams counts twice',
    read: ({ sent }) => sent
  },
  {
    name: 'modelwire_change_readers_dropped_total',
    help: 'Change streams that ended because their readers were too slow',
    read: ({ dropped }) => dropped
  }
]

/** Counts change streams by model: those that are open, their events, and readers that were dropped. */
export function measureStreams({ models }: Pick<FastifyInstance, 'models'>, registry: Registry): void {
  const open = new Gauge({
    name: 'modelwire_change_streams_open',
    help: 'Change streams that are open',
    labelNames,
    registers: [],
    collect() {
      for (const count of countStreams(models)) this.set({ model: count.model }, count.open)
    }
  })
  registry.registerMetric(open)
  for (const { read, ...facts } of totals) {
    const counter = new Counter({
      ...facts,
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const count of countStreams(models)) this.inc({ model: count.model }, read(count))
      }
    })
    registry.registerMetric(counter)
  }
}
