import type { WebhooksSettings } from '../options.ts'
import type { Capacity } from './claim-deliveries.ts'
import { Lanes, placesOf } from './lanes.ts'

/** Part of the time that an endpoint has for an answer in which a quick one gives it. */
const quickPart = 0.1

/** Counts what is being sent. */
export class Sending {
  readonly all = new Set<Promise<void>>()
  readonly #counts = new Map<string, number>()
  readonly #settings: Pick<WebhooksSettings, 'concurrency' | 'concurrencyPerEndpoint'>
  readonly #lanes: Lanes

  constructor(settings: Pick<WebhooksSettings, 'concurrency' | 'concurrencyPerEndpoint' | 'timeout'>) {
    this.#settings = settings
    this.#lanes = new Lanes(settings.timeout * 1000 * quickPart)
  }

  /** Counts `work` until it is over. */
  async add(endpointId: string, work: () => Promise<void>): Promise<void> {
    this.#counts.set(endpointId, this.#of(endpointId) + 1)
    const since = performance.now()
    const working = work()
    this.all.add(working)
    await working
    this.all.delete(working)
    this.#lanes.note(endpointId, performance.now() - since)
    const left = this.#of(endpointId) - 1
    if (left === 0) this.#counts.delete(endpointId)
    else this.#counts.set(endpointId, left)
  }

  #of(endpointId: string): number {
    return this.#counts.get(endpointId) ?? 0
  }

  /** What can be sent beside what is being sent. */
  capacity(): Capacity {
    const { concurrency, concurrencyPerEndpoint: most } = this.#settings
    const left = { ...placesOf(concurrency) }
    for (const [id, count] of this.#counts) left[this.#lanes.of(id)] -= count
    const busy = [...this.#counts].filter(([, count]) => count >= most).map(([id]) => id)
    const taken = new Map<string, number>()
    return {
      free: concurrency - this.all.size,
      excluded: left.slow > 0 ? busy : [...new Set([...busy, ...this.#lanes.idsIn('slow')])],
      only: left.new > 0 ? undefined : [...this.#lanes.idsIn('quick'), ...this.#lanes.idsIn('slow')],
      take: (id) => {
        const lane = this.#lanes.of(id)
        const before = taken.get(id) ?? 0
        if (before + this.#of(id) >= most || left[lane] <= 0) return false
        taken.set(id, before + 1)
        left[lane] -= 1
        return true
      }
    }
  }
}
