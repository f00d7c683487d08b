import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { isStream, type NamedOperation, operationOf } from '../operation-of.ts'
import { DurationHistogram, type Durations } from './duration-histogram.ts'

/** Seconds: from an answer out of memory to a call that nearly runs out of time. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures how long operations take, by model, operation and status. */
export function measureOperations(app: FastifyInstance, registry: Registry): void {
  const histogram = new DurationHistogram({
    name: 'modelwire_operation_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by model, operation and status',
    buckets,
    registry
  })
  const byOperation = new Map<NamedOperation, Map<number, Durations>>()
  const durationsOf = (operation: NamedOperation, status: number): Durations => {
    const byStatus = byOperation.get(operation) ?? new Map<number, Durations>()
    byOperation.set(operation, byStatus)
    const { name, model } = operation
    const kept =
      byStatus.get(status) ??
      histogram.durationsOf({ model: model.name, operation: name, status: String(status) })
    byStatus.set(status, kept)
    return kept
  }
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(request)
    if (operation !== undefined && !isStream(operation))
      durationsOf(operation, reply.statusCode).add(reply.elapsedTime)
    done()
  })
}
