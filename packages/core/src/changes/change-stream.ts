import { Readable } from 'node:stream'
import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import type { ChangeLog } from '../contract/change-log.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ChangeEvent } from './change-event.ts'
import { type ChangeFeed, feedsOf } from './change-feed.ts'
import { ChangeReaderTooSlow, LogPositionUnknown } from './errors.ts'
import { isAbout, keyOfRights, type StreamRights, streamRights } from './stream-rights.ts'
import { compileWanted, type Wanted } from './wanted-events.ts'

/** Changes that are read from a log at once. */
const pageSize = 500

/**
 * Reads the changes of a model's records, as objects: `ChangeEvent`s. Events wait for a reader that pauses, up to a limit. One that
 * is too slow for that goes on from the log of the changes; where there is none, it is ended with `ChangeReaderTooSlow` rather than
 * served with gaps.
 */
export class ChangeStream extends Readable {
  readonly feed: ChangeFeed
  /** The position before the first event of this stream; undefined for one that goes on from an earlier event. */
  readonly start: string | undefined
  /** Events between the position that the stream should go on from and its first one are lost. */
  readonly missedSome: boolean
  /** Another text where the client's rights are others. */
  readonly rightsKey: string
  readonly #wanted: Wanted
  readonly #rights: StreamRights | undefined
  readonly #limit: number
  readonly #leave: () => void
  /** Of the last event that was looked at, in the log. */
  #position: string | undefined
  /** It reads from the log; what it hears meanwhile is there as well. */
  #isCatchingUp = false
  /** It has read from the log, maybe what this process has not heard of yet. */
  #isAhead = false
  #hasHeardMore = false
  #whenRoom: (() => void) | undefined

  constructor(feed: ChangeFeed, wanted: Wanted, { rights, after, isInLog }: StreamOpening) {
    const limit = feed.waiting
    super({ objectMode: true, highWaterMark: limit })
    this.feed = feed
    this.#wanted = wanted
    this.#rights = rights
    this.rightsKey = keyOfRights(rights)
    this.#limit = limit
    const kept = after === undefined ? undefined : feed.since(after)
    const goesOn = after !== undefined && (kept !== undefined || isInLog)
    this.start = goesOn ? undefined : feed.now()
    this.missedSome = after !== undefined && !goesOn
    if (feed.log !== undefined) this.#position = goesOn ? after : this.start
    // Nothing happens between the two: what comes after the start is heard.
    this.#leave = feed.follow(
      (event) => this.#hear(event),
      () => this.destroy(new ChangeReaderTooSlow('changes were purged before this process had read them'))
    )
    if (kept !== undefined) for (const event of kept) this.#hear(event)
    else if (goesOn && feed.log !== undefined) void this.#catchUp(feed.log)
  }

  /** Events come when something changes; a stream that reads from the log goes on when there is room. */
  override _read(): void {
    this.#whenRoom?.()
    this.#whenRoom = undefined
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave()
    if (error instanceof ChangeReaderTooSlow) this.feed.dropped++
    this.#whenRoom?.()
    done(error)
  }

  /** The position behind all that was read; undefined while events wait, and where the changes are not in a log. */
  get readTo(): string | undefined {
    if (this.#position === undefined || this.readableLength > 0 || this.#isCatchingUp) return undefined
    return this.feed.log?.disguise(this.#position)
  }

  #hear(event: ChangeEvent): void {
    this.#hasHeardMore = true
    if (this.#isCatchingUp && event.position !== undefined) return
    const { log } = this.feed
    if (this.#isAhead && log !== undefined && this.#wasRead(log, event)) return
    const shown = this.#shownOf(event)
    if (shown !== undefined && this.readableLength >= this.#limit) {
      if (log === undefined || event.position === undefined)
        this.destroy(new ChangeReaderTooSlow(`a reader of changes left ${this.#limit} events waiting`))
      else void this.#catchUp(log)
      return
    }
    this.#position = event.position ?? this.#position
    if (shown !== undefined) this.#send(shown)
  }

  #send(event: ChangeEvent): void {
    this.feed.sent++
    this.push(event)
  }

  #wasRead(log: ChangeLog, { position }: ChangeEvent): boolean {
    if (position === undefined || this.#position === undefined) return false
    this.#isAhead = !log.isBehind(position, this.#position)
    return this.#isAhead
  }

  /** Goes on from the log until nothing is left in it that was not read. */
  async #catchUp(log: ChangeLog): Promise<void> {
    this.#isCatchingUp = true
    this.#isAhead = true
    try {
      while (!this.destroyed && (await this.#readPage(log)));
      this.#isCatchingUp = false
    } catch (error) {
      this.destroy(
        error instanceof LogPositionUnknown
          ? new ChangeReaderTooSlow('a reader of changes left them waiting until they were purged', { cause: error })
          : (error as Error) // what rejects here are errors
      )
    }
  }

  /** False when there is no more. */
  async #readPage(log: ChangeLog): Promise<boolean> {
    this.#hasHeardMore = false
    const page = await this.feed.inTurn(async () => (this.destroyed ? [] : log.read(this.#position ?? '', pageSize)))
    for (const { change, position } of page) {
      if (this.readableLength >= this.#limit) await this.#room()
      if (this.destroyed) return false
      const shown = this.feed.covers(change.model) ? this.#shownOf(this.feed.eventOf(change)) : undefined
      this.#position = position
      if (shown !== undefined) this.#send(shown)
    }
    return page.length > 0 || this.#hasHeardMore
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenRoom = resolve
    })
  }

  /** What the reader sees of an event; undefined where it is none of those that the reader wants and may see. */
  #shownOf(event: ChangeEvent): ChangeEvent | undefined {
    const { matches, fields, models } = this.#wanted
    if (models?.has(event.model) === false) return undefined
    const rights = this.#rights?.get(event.model)
    if (this.#rights !== undefined && (rights === undefined || !isAbout(event, rights))) return undefined
    const { readable } = rights ?? {}
    if (matches?.(readable === undefined ? event : event.withinReadable(readable, undefined)) === false)
      return undefined
    if (readable !== undefined) return event.withinReadable(readable, fields)
    return fields === undefined ? event : event.withFields(fields)
  }
}

/** With whose rights a stream is opened, and where. */
interface StreamOpening {
  readonly rights: StreamRights | undefined
  /** The position that it is to go on from. */
  readonly after: string | undefined
  /** The log reaches back to that. */
  readonly isInLog: boolean
}

async function reachesBack(log: ChangeLog, position: string): Promise<boolean> {
  try {
    await log.read(position, 1)
    return true
  } catch (error) {
    if (error instanceof LogPositionUnknown) return false
    throw error
  }
}

/**
 * Opens a stream of the changes of a model and of those that extend it.
 * @param options `where`: only changes that leave a record matching it; `fields`: what to show of records; `models`:
 * names of the models among them whose changes are reported
 * @param after what `feed.positionOf` returned for the last event that was read: the stream goes on behind it, or `missedSome` says
 * that some of what follows is lost
 * @throws {InvalidFilter} a part of `options` is malformed
 * @throws the error that access control refuses the client with
 */
export async function openChangeStream(
  model: ModelType,
  options: unknown,
  call: Call,
  after?: string
): Promise<ChangeStream> {
  const restriction = await restrictionFor(model, call, 'createChangeStream')
  const wanted = compileWanted(model, options, call, restriction)
  const feed = feedsOf(model.registry).of(model)
  const rights = await streamRights(model, call)
  const { log } = feed
  await log?.heard()
  const isInLog = after !== undefined && log !== undefined && (await reachesBack(log, after))
  return new ChangeStream(feed, wanted, { rights, after, isInLog })
}
