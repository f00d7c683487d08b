import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { channel, type FromPrimary, type FromProcess, isFromPrimary, type ProcessMetrics } from './messages.ts'

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

/** Makes the function that writes metrics: in a process of a cluster those of all its processes, where the first one passes them on. */
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
