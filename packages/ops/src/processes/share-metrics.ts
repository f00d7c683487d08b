import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, type Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

/** All metrics of a process, as prom-client serializes them for others. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Marks the messages of this package among those of a cluster. */
export const channel = '@modelwire/ops'

/** A message from a process to the primary. */
export type FromProcess =
  | { readonly channel: typeof channel; readonly kind: 'here' }
  | { readonly channel: typeof channel; readonly kind: 'ask'; readonly id: number }
  | {
      readonly channel: typeof channel
      readonly kind: 'metrics'
      readonly id: number
      readonly metrics: ProcessMetrics
    }

/** A message from the primary to another process. */
export type FromPrimary =
  | { readonly channel: typeof channel; readonly kind: 'noted' }
  | { readonly channel: typeof channel; readonly kind: 'give'; readonly id: number }
  | {
      readonly channel: typeof channel
      readonly kind: 'all'
      readonly id: number
      readonly all: readonly ProcessMetrics[]
    }

const isOurs = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'channel' in message && message.channel === channel

/** True for a message from a process to the primary. */
export const isFromProcess = (message: unknown): message is FromProcess => isOurs(message)

/** True for what the first process tells another one. */
const isFromPrimary = (message: unknown): message is FromPrimary => isOurs(message)

/** Milliseconds after which a process answers for itself alone: longer than the first process waits for others. */
const patience = 6000

type Take = (all: readonly ProcessMetrics[] | undefined) => void

const tell = (message: FromProcess): void => void process.send?.(message, undefined, {}, () => {})

/** What a process of a cluster gives others, and hears of them. */
class SharedMetrics {
  readonly #registry: Registry
  readonly #asked = new Map<number, Take>()
  #count = 0
  /** The first process passes metrics on. */
  #isNoted = false

  constructor(registry: Registry) {
    this.#registry = registry
  }

  async take(message: FromPrimary): Promise<void> {
    if (message.kind === 'noted') this.#isNoted = true
    else if (message.kind === 'all') this.#asked.get(message.id)?.(message.all)
    else tell({ channel, kind: 'metrics', id: message.id, metrics: await this.#registry.getMetricsAsJSON() })
  }

  /** The metrics of all processes; of this one where nothing passes metrics on. */
  async text(): Promise<string> {
    const all = this.#isNoted ? await this.#ask() : undefined
    if (all === undefined || all.length === 0) return this.#registry.metrics()
    return AggregatorRegistry.aggregate(all.map((each) => [...each])).metrics()
  }

  async #ask(): Promise<readonly ProcessMetrics[] | undefined> {
    const id = this.#count++
    const answer = await new Promise<readonly ProcessMetrics[] | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), patience)
      this.#asked.set(id, (all) => {
        clearTimeout(timer)
        resolve(all)
      })
      tell({ channel, kind: 'ask', id })
    })
    this.#asked.delete(id)
    return answer
  }
}

/** Makes the function that renders metrics: in a cluster those of all its processes, if the primary relays them. */
export function shareMetrics(app: FastifyInstance, registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return async () => registry.metrics()
  const shared = new SharedMetrics(registry)
  const listener = (message: unknown): void => {
    if (isFromPrimary(message)) void shared.take(message)
  }
  process.on('message', listener)
  tell({ channel, kind: 'here' })
  app.addHook('onClose', async () => void process.off('message', listener))
  return async () => shared.text()
}
