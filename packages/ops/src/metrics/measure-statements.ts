import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { DurationHistogram, type Durations } from './duration-histogram.ts'

/** Seconds: databases nearby answer in less than the first, statements are ended after 30 where nothing else is set. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/** Measures the statements of data sources by verb. No text of a statement becomes a label. */
export function measureStatements({ models }: Pick<FastifyInstance, 'models'>, registry: Registry): void {
  const histogram = new DurationHistogram({
    name: 'modelwire_statement_duration_seconds',
    help: 'Time of a statement of a data source, by verb and outcome',
    buckets,
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
