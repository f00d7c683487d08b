import { randomUUID, createCipheriv, createDecipheriv, randomBytes, randomFillSync } from 'node:crypto'
import type { Change, ChangeLog } from '../contract/change-log.ts'
import type { Registry } from '../contract/registry.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ChangeFeedLimits } from '../limits/limits.ts'
import { type ChangeEvent, eventOf } from './change-event.ts'
import { StreamViews } from './stream-view.ts'
import { isOfModel } from '../model/model-lineage.ts'
import { changeLogOf } from './change-log-of.ts'
import { limitParallel } from '@modelwire/server'

/** One block of AES is a permutation: no text reveals which others there are. */
const cipher = 'aes-128-ecb'

const blockLength = 16

/** Zeros in the middle distinguish texts that were written here from others. */
const [checkStart, saltStart] = [8, 12]

/**
 * Encodes numbers as strings that only the same instance can decode: two of them reveal neither how far apart they are, nor
 * whether they are equal. Each instance has its own secret.
 */
export class HiddenNumbers {
  readonly #secret = randomBytes(16)

  /** Encodes an integer from 0. */
  hide(number: number): string {
    const block = Buffer.alloc(blockLength)
    block.writeDoubleBE(number)
    randomFillSync(block, saltStart)
    const encryption = createCipheriv(cipher, this.#secret, null).setAutoPadding(false)
    return Buffer.concat([encryption.update(block), encryption.final()]).toString('base64url')
  }

  /** Decodes a number; `NaN` for a string of another instance. */
  read(text: string): number {
    const block = Buffer.from(text, 'base64url')
    if (block.length !== blockLength) return Number.NaN
    const decryption = createDecipheriv(cipher, this.#secret, null).setAutoPadding(false)
    const plain = Buffer.concat([decryption.update(block), decryption.final()])
    return plain.subarray(checkStart, saltStart).every((byte) => byte === 0) ? plain.readDoubleBE() : Number.NaN
  }
}

/** Called for events, in order. */
export type ChangeReader = (event: ChangeEvent) => void

/**
 * Numbers the changes of one model, and of those that extend it, and keeps the latest, while there are readers. A model
 * without readers costs its writers nothing.
 */
export class ChangeFeed {
  /** Distinguishes this feed from that of another process, or an earlier one. */
  readonly id: string = randomUUID().slice(0, 8)
  readonly #numbers = new HiddenNumbers()
  readonly #model: ModelType
  readonly #limits: ChangeFeedLimits
  readonly #readers = new Map<ChangeReader, () => void>()
  readonly #kept: ChangeEvent[] = []
  /** What its readers see. */
  readonly views: StreamViews = new StreamViews()
  /** Events delivered to streams. */
  sent = 0
  /** Streams that ended because their readers were too slow. */
  dropped = 0
  #count = 0
  #stop: (() => void) | undefined
  #resting: NodeJS.Timeout | undefined

  /** Reads a page of a log when it is its turn among the streams of all models. */
  readonly inTurn: ReturnType<typeof limitParallel>

  constructor(model: ModelType, limits: ChangeFeedLimits, inTurn: ReturnType<typeof limitParallel>) {
    this.#model = model
    this.#limits = limits
    this.inTurn = inTurn
  }

  /** The log from which this process reads the changes; undefined if the process numbers its own ones. */
  get log(): ChangeLog | undefined {
    return changeLogOf(this.#model)
  }

  /** Calls `reader` for every event until the returned function is called, and `onGap` if some were missed. */
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

  /** The number of current readers. */
  get readers(): number {
    return this.#readers.size
  }

  /** Events that may be queued for one slow reader. */
  get waiting(): number {
    return this.#limits.waiting
  }

  /** The current position: everything after it is yet to come. */
  now(): string {
    return this.log === undefined ? this.#positionAt(this.#count) : this.log.disguise(this.log.heardTo)
  }

  /**
   * The id of an event, different from those of any other feed. It does not reveal how many there were before. Undefined if
   * the feed is that of a log, and the event is not in it.
   */
  positionOf({ number, position }: Pick<ChangeEvent, 'number' | 'position'>): string | undefined {
    return this.log === undefined ? this.#positionAt(number) : position
  }

  #positionAt(number: number): string {
    return `${this.id}-${this.#numbers.hide(number)}`
  }

  /** The events after `position`; undefined if it is unknown or no longer kept, so that some may be missed. */
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

  /** Whether it has the changes of a model of this name. */
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

  /** Discards the kept events, which are no longer complete. */
  #skip(): void {
    this.#kept.length = 0
    for (const onGap of this.#readers.values()) onGap()
  }

  /** Continues to listen for a while, for readers that reconnect. */
  #rest(): void {
    this.#resting = setTimeout(() => this.close(), this.#limits.keptFor * 1000)
    this.#resting.unref()
  }

  /** Clears everything. Readers cannot continue from earlier positions: events in between were not seen. */
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

/** The feeds of a registry's models, created on the first call. */
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
