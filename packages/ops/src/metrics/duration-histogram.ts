import type { Histogram, Registry } from 'prom-client'

type Snapshot = Awaited<ReturnType<Histogram['get']>>
type Labels = Readonly<Record<string, string>>

/** Its name, and the upper bounds of its buckets, in seconds. */
export interface HistogramFacts {
  readonly name: string
  readonly help: string
  readonly buckets: readonly number[]
  readonly registry: Registry
}

/** Durations with the same labels. */
export class Durations {
  readonly labels: Labels
  /** The count of each bucket, and of the overflow. */
  readonly counts: Float64Array
  sum = 0
  readonly #bounds: readonly number[]

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels
    this.#bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  /** Counts a duration, in milliseconds. */
  add(milliseconds: number): void {
    const seconds = milliseconds / 1000
    let at = 0
    while (at < this.#bounds.length && seconds > (this.#bounds[at] ?? 0)) at++
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += seconds
  }
}

/**
 * A histogram for durations that are recorded thousands of times a second: callers keep the counters of their labels, so
 * that these are not looked up by their text each time.
 */
export class DurationHistogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #durations = new Map<string, Durations>()
  readonly #bounds: readonly number[]

  constructor({ name, help, buckets, registry }: HistogramFacts) {
    this.name = name
    this.help = help
    this.#bounds = buckets
    // The registry calls `get` and `reset` of whatever it is given, as of what it makes itself of the metrics of several processes.
    registry.registerMetric(this as unknown as Histogram)
  }

  /** The counters for these labels, the same object each time. */
  durationsOf(labels: Labels): Durations {
    const key = JSON.stringify(labels)
    const kept = this.#durations.get(key) ?? new Durations(labels, this.#bounds)
    this.#durations.set(key, kept)
    return kept
  }

  reset(): void {
    for (const each of this.#durations.values()) {
      each.counts.fill(0)
      each.sum = 0
    }
  }

  async get(): Promise<Omit<Snapshot, 'collect' | 'type'> & { type: string }> {
    const { name, help, type, aggregator } = this
    const values = Array.from(this.#durations.values(), (each) => this.#valuesOf(each)).flat()
    return { name, help, type, aggregator, values }
  }

  #valuesOf({ labels, counts, sum }: Durations): Snapshot['values'] {
    let total = 0
    const buckets = Array.from(counts, (count, at) => {
      total += count
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le: this.#bounds[at] ?? '+Inf' }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total }
    ]
  }
}
