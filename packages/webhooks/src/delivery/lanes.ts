/** How an endpoint answered the last message that this process sent to it: within the time of a quick answer, later, or none was sent. */
export type Lane = 'quick' | 'slow' | 'new'

/** Endpoints that are remembered: those that were sent to last. */
const most = 1000

/** Remembers how quickly endpoints answer. */
export class Lanes {
  readonly #known = new Map<string, 'quick' | 'slow'>()
  readonly #quickTime: number

  /** @param quickTime milliseconds in which a quick endpoint answers */
  constructor(quickTime: number) {
    this.#quickTime = quickTime
  }

  /** Notes that an endpoint had a message for so many milliseconds, whatever its answer. */
  note(endpointId: string, milliseconds: number): void {
    this.#known.delete(endpointId)
    this.#known.set(endpointId, milliseconds <= this.#quickTime ? 'quick' : 'slow')
    const [oldest] = this.#known.keys()
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest)
  }

  of(endpointId: string): Lane {
    return this.#known.get(endpointId) ?? 'new'
  }

  /** The known endpoints of a lane. */
  idsIn(lane: 'quick' | 'slow'): readonly string[] {
    return [...this.#known].filter(([, known]) => known === lane).map(([id]) => id)
  }
}

/**
 * How many of the messages that are sent at a time may be to the endpoints of a lane: slow ones, and those that may turn out to be, leave
 * the rest to quick ones.
 */
export function placesOf(concurrency: number): Readonly<Record<Lane, number>> {
  const part = (share: number): number => Math.max(1, Math.floor(concurrency * share))
  return { quick: concurrency, slow: part(1 / 4), new: part(1 / 2) }
}
