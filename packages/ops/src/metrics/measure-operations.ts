import { answerHook } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { type NamedOperation, operationIn } from '../operation-in.ts'
import { DurationHistogram, type Durations } from './duration-histogram.ts'

/** Seconds: from an answer out of memory to a call that nearly runs out of time. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** When a request arrived, on the clock of `performance.now()`. */
const arrived: unique symbol = Symbol('@modelwire/ops arrived')

type TimedRequest = FastifyRequest & { [arrived]: number }

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
export function measureOperations(app: FastifyInstance, registry: Registry): void {
  const histogram = new DurationHistogram({
    name: 'modelwire_operation_duration_seconds',
    help: 'Time from the arrival of a request until its answer is sent, by model, operation and status',
    buckets,
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
