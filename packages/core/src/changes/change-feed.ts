import { randomUUID } from 'node:crypto'
import type { Change } from '../contract/change-bus.ts'
import type { ChangeLog } from '../contract/change-log.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ChangeFeedLimits } from '../limits/change-feed-limits.ts'
import { type ChangeEvent, eventOf } from './change-event.ts'
import { isOfModel } from '../model/model-lineage.ts'
import { changeLogOf } from './change-log-of.ts'
import { limitParallel, type RunLimited } from '../values/limit-parallel.ts'
import { HiddenNumbers } from './hidden-numbers.ts'

/** Called for events, in their order. */
export type ChangeReader = (event: ChangeEvent) => void

/**
 * Numbers the changes of one model, and of those that extend it, and keeps the latest, as long as there are readers. A
 * model without readers costs its writers nothing.
 */
export class ChangeFeed {
  /** Distinguishes this feed from that of another process, or of another time. */
  readonly id: string = randomUUID().slice(0, 8)
  readonly #numbers = new HiddenNumbers()
  readonly #model: ModelType
  readonly #limits: ChangeFeedLimits
  readonly #readers = new Map<ChangeReader, () => void>()
  readonly #kept: ChangeEvent[] = []
  /** Events that streams were given. */
  sent = 0
  /** Streams that ended because their readers were too slow. */
  dropped = 0
  #count = 0
  #stop: (() => void) | undefined
  #resting: NodeJS.Timeout | undefined

  /** Has a page of a log read when it is its turn, among the streams of all models. */
  readonly inTurn: RunLimited

  constructor(model: ModelType, limits: ChangeFeedLimits, inTurn: RunLimited) {
    this.#model = model
    this.#limits = limits
    this.inTurn = inTurn
  }

  /** The log by which this process hears of the changes; undefined where the process numbers its own ones. */
  get log(): ChangeLog | undefined {
    return changeLogOf(this.#model)
  }

  /** Calls `reader` for every event until the returned function is called, and `onGap` when some were missed. */
  follow(reader: ChangeReader, onGap: () => void): () => void {
    clearTimeout(this.#resting)
    this.#stop ??= this.#listen()
    this.#readers.set(reader, onGap)
    return () => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#rest()
    }
  }

  get model(): ModelType {
    return this.#model
  }

  /** Those who follow it at the moment. */
  get readers(): number {
    return this.#readers.size
  }

  /** Events that may wait for one slow reader. */
  get waiting(): number {
    return this.#limits.waiting
  }

  /** The position behind the last event: what comes after it is what comes from now on. */
  now(): string {
    return this.log === undefined ? this.#positionAt(this.#count) : this.log.disguise(this.log.heardTo)
  }

  /**
   * The id of an event, unlike that of any other feed. It does not reveal how many there were before. Undefined where the feed is
   * that of a log, and the event is not in it.
   */
  positionOf({ number, position }: Pick<ChangeEvent, 'number' | 'position'>): string | undefined {
    return this.log === undefined ? this.#positionAt(number) : position
  }

  #positionAt(number: number): string {
    return `${this.id}-${this.#numbers.hide(number)}`
  }

  /** The events after `position`; undefined when it is unknown or not kept any more, so that some may be missed. */
  since(position: string): readonly ChangeEvent[] | undefined {
    if (this.log !== undefined) {
      const at = this.#kept.findIndex((event) => event.position === position)
      return at === -1 ? undefined : this.#kept.slice(at + 1)
    }
    const isOwn = position.startsWith(`${this.id}-`)
    const number = isOwn ? this.#numbers.read(position.slice(this.id.length + 1)) : Number.NaN
    const first = this.#kept[0]?.number ?? this.#count + 1
    if (!Number.isInteger(number) || number > this.#count || number < first - 1) return undefined
    return this.#kept.slice(number + 1 - first)
  }

  /** The event of a change, with the number of the latest one. */
  eventOf(change: Change): ChangeEvent {
    return eventOf(this.#model.registry.typeOf(change.model), this.#count, change)
  }

  /** It has the changes of a model of this name. */
  covers(name: string): boolean {
    return isOfModel(this.#model.registry.typeOf(name), this.#model.name)
  }

  #listen(): () => void {
    const { name, registry } = this.#model
    const leave = this.log?.onGap(() => this.#skip())
    const stop = registry.changes.subscribe(name, (change) => {
      this.#count += 1
      const event = this.eventOf(change)
      this.#kept.push(event)
      if (this.#kept.length > this.#limits.kept) this.#kept.shift()
      for (const reader of this.#readers.keys()) reader(event)
    })
    return () => {
      leave?.()
      stop()
    }
  }

  /** What is kept is no whole any more. */
  #skip(): void {
    this.#kept.length = 0
    for (const onGap of this.#readers.values()) onGap()
  }

  /** Keeps listening for those who come back soon. */
  #rest(): void {
    this.#resting = setTimeout(() => this.close(), this.#limits.keptFor * 1000)
    this.#resting.unref()
  }

  /** Forgets everything. What was numbered cannot be gone on from: events in between were not seen. */
  close(): void {
    clearTimeout(this.#resting)
    this.#stop?.()
    this.#stop = undefined
    this.#kept.length = 0
    this.#count += 1
  }
}

// Models do not know their feeds, which are about them.
const feeds = new WeakMap<Registry, ChangeFeeds>()

/** The feeds of a registry's models; the first call makes them. */
export function feedsOf(registry: Registry): ChangeFeeds {
  const cached = feeds.get(registry) ?? new ChangeFeeds(registry.changeStreams)
  feeds.set(registry, cached)
  return cached
}

/** Pages of logs that streams read at the same time: however many come back at once, others find connections and time. */
const pagesAtOnce = 2

/** The feeds of all models of a registry. */
class ChangeFeeds {
  readonly limits: ChangeFeedLimits
  readonly #inTurn = limitParallel(pagesAtOnce)
  readonly #feeds = new Map<ModelType, ChangeFeed>()

  constructor(limits: ChangeFeedLimits) {
    this.limits = limits
  }

  /** The feed of one model, shared by all who follow it. */
  of(model: ModelType): ChangeFeed {
    const feed = this.#feeds.get(model) ?? new ChangeFeed(model, this.limits, this.#inTurn)
    this.#feeds.set(model, feed)
    return feed
  }

  /** Every feed that was followed. */
  all(): ChangeFeed[] {
    return [...this.#feeds.values()]
  }

  /** Closes all feeds. */
  close(): void {
    for (const feed of this.#feeds.values()) feed.close()
  }
}
