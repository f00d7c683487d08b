import type { ModelRegistry } from '@modelwire/core'
import { countStreams } from '@modelwire/core/plugin'
import { answerHook } from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry, Counter } from 'prom-client'
import type { Readiness } from '../check-readiness.ts'
import { type NamedOperation, operationIn } from '../operation-in.ts'
import { DurationHistogram, type Durations } from './duration-histogram.ts'

const labelNames = ['model'] as const

interface Total {
  readonly name: string
  readonly help: string
  readonly read: (count: ReturnType<typeof countStreams>[number]) => number
}

/** What only grows. */
const totals: readonly Total[] = [
  {
    name: 'modelwire_change_events_total',
    help: 'Events delivered to change streams: one event for two streams counts twice',
    read: ({ sent }) => sent
  },
  {
    name: 'modelwire_change_readers_dropped_total',
    help: 'Change streams that ended because their readers were too slow',
    read: ({ dropped }) => dropped
  }
]

/** Seconds: databases nearby answer in less than the first, statements are ended after 30 where nothing else is set. */
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

type State = 'open' | 'idle' | 'waiting'

/** Seconds: from an answer out of memory to a call that nearly runs out of time. */
const operationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** When a request arrived, on the clock of `performance.now()`. */
const arrived: unique symbol = Symbol('@modelwire/ops arrived')

type TimedRequest = FastifyRequest & { [arrived]: number }

/** The gauge of each kind of parts. */
const gauges: Readonly<
  Record<
    ModelRegistry['healthChecks'][number]['kind'],
    { readonly name: string; readonly help: string; readonly label: string }
  >
> = {
  dataSources: {
    name: 'modelwire_data_source_up',
    help: '1 if the data source is reachable, else 0',
    label: 'data_source'
  },
  sharedState: {
    name: 'modelwire_shared_state_up',
    help: '1 if the shared state is reachable, else 0',
    label: 'store'
  },
  changeTransports: {
    name: 'modelwire_change_transport_up',
    help: '1 if the transport can carry changes of the data source, else 0',
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
 * Measures a server. Labels consist of models, operations, data sources, and words of fixed lists only, so that no client
 * can add any.
 * @returns the registry of prom-client that holds what was measured
 */
export function makeMetrics(app: FastifyInstance, readiness: () => Promise<Readiness>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'modelwire_processes', help: 'Processes that these metrics cover', registers: [registry] }).set(1)
  measureReadiness(registry, readiness)
  measureOperations(app, registry)
  measureStatements(app, registry)
  measurePools(app, registry)
  measureStreams(app, registry)
  return registry
}

/** The counters of an operation by status. */
function countersOf(histogram: DurationHistogram, { name, model }: NamedOperation): (status: number) => Durations {
  const byStatus = new Map<number, Durations>()
  return (status) => {
    const kept =
      byStatus.get(status) ?? histogram.durationsOf({ model: model.name, operation: name, status: String(status) })
    byStatus.set(status, kept)
    return kept
  }
}

/** Milliseconds since the arrival; 0 for a request that was refused before it was noted, as load shedding does. */
function durationOf({ [arrived]: since }: TimedRequest, { elapsedTime }: FastifyReply): number {
  // Fastify knows the arrival where it logs.
  if (elapsedTime > 0) return elapsedTime
  return since === 0 ? 0 : performance.now() - since
}

/**
 * Measures how long operations take, by model, operation and status: until the answer is sent, since waiting for a client to read it
 * would cost a listener per request. A stream has its own metrics.
 */
function measureOperations(app: FastifyInstance, registry: Registry): void {
  const histogram = new DurationHistogram({
    name: 'modelwire_operation_duration_seconds',
    help: 'Time from the arrival of a request until its response is sent, by model, operation and status',
    buckets: operationBuckets,
    registry
  })
  app.decorateRequest(arrived, 0)
  app.addHook('onRequest', (request, _reply, done) => {
    // Decorated above.
    ;(request as TimedRequest)[arrived] = performance.now()
    done()
  })
  app.addHook('onRoute', (route) => {
    const operation = operationIn(route.config)
    if (operation === undefined) return
    const durationsOf = countersOf(histogram, operation)
    const measure = answerHook('duration of an operation', (request, reply) => {
      durationsOf(reply.statusCode).add(durationOf(request as TimedRequest, reply)) // decorated above
    })
    route.onSend = [...[route.onSend ?? []].flat(), measure]
  })
}

/** Counts the connections of data sources that have pools, and the callers that wait for one. */
function measurePools({ models }: Pick<FastifyInstance, 'models'>, registry: Registry): void {
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

/** Measures the statements of data sources by verb. No text of a statement becomes a label. */
function measureStatements({ models }: Pick<FastifyInstance, 'models'>, registry: Registry): void {
  const histogram = new DurationHistogram({
    name: 'modelwire_statement_duration_seconds',
    help: "Duration of a data source's statements, by verb and outcome",
    buckets: statementBuckets,
    registry
  })
  const kept = new Map<string, Durations>()
  models.statements.listen(({ name }, { verb, duration, error }) => {
    const outcome = error === undefined ? 'done' : 'failed'
    const key = `${name} ${verb} ${outcome}`
    const durations = kept.get(key) ?? histogram.durationsOf({ data_source: name, verb, outcome })
    kept.set(key, durations)
    durations.add(duration)
  })
}

/** Counts change streams by model: those that are open, their events, and readers that were dropped. */
function measureStreams({ models }: Pick<FastifyInstance, 'models'>, registry: Registry): void {
  const open = new Gauge({
    name: 'modelwire_change_streams_open',
    help: 'Open change streams',
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
