import { Readable } from 'node:stream'
import { restrictionFor } from '../access/call.ts'
import type { Call } from '../contract/call.ts'
import type { ChangeLog } from '../contract/change-log.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Registry } from '../contract/registry.ts'
import { ChangeReaderTooSlow, LogPositionUnknown } from '../errors.ts'
import type { ChangeEvent } from './change-event.ts'
import { type ChangeFeed, feedsOf } from './change-feed.ts'
import { streamRights } from './stream-rights.ts'
import { compileWanted, StreamView } from './stream-view.ts'

/** The change streams of one model, in this process. */
export interface StreamCount {
  readonly model: string
  /** Currently open streams. */
  readonly open: number
  /** Events delivered to all of them since startup. */
  readonly sent: number
  /** Those that ended because their readers were too slow. */
  readonly dropped: number
}

/** Changes that are read from a log at once. */
const pageSize = 500

/**
 * A readable stream of a model's changes, as `ChangeEvent` objects. Events are queued for a reader that pauses, up to a
 * limit. A reader that is slower continues from the change log; without one, the stream ends with `ChangeReaderTooSlow`
 * rather than having gaps.
 */
export class ChangeStream extends Readable {
  readonly feed: ChangeFeed
  /** The position before the first event of this stream; undefined if it continues from an earlier event. */
  readonly start: string | undefined
  /** Events between the requested position and the first event of the stream are lost. */
  readonly missedSome: boolean
  readonly #view: StreamView
  readonly #limit: number
  readonly #leave: () => void
  /** The log position of the last processed event. */
  #position: string | undefined
  /** It is reading from the log; events received meanwhile are also there. */
  #isCatchingUp = false
  /** It has read from the log, possibly beyond what this process has received. */
  #isAhead = false
  #hasHeardMore = false
  #whenRoom: (() => void) | undefined

  constructor(feed: ChangeFeed, view: StreamView, { after, isInLog }: StreamOpening) {
    const limit = feed.waiting
    super({ objectMode: true, highWaterMark: limit })
    this.feed = feed
    this.#limit = limit
    const kept = after === undefined ? undefined : feed.since(after)
    const goesOn = after !== undefined && (kept !== undefined || isInLog)
    this.start = goesOn ? undefined : feed.now()
    this.missedSome = after !== undefined && !goesOn
    if (feed.log !== undefined) this.#position = goesOn ? after : this.start
    // Nothing happens between the two: what comes after the start is heard.
    this.#leave = feed.follow(
      (event) => this.#hear(event),
      () => this.destroy(new ChangeReaderTooSlow('changes were purged before this process read them'))
    )
    this.#view = feed.views.take(view)
    if (kept !== undefined) for (const event of kept) this.#hear(event)
    else if (goesOn && feed.log !== undefined) void this.#catchUp(feed.log)
  }

  /** Events are pushed when something changes; a stream that reads from the log continues when there is room. */
  override _read(): void {
    this.#whenRoom?.()
    this.#whenRoom = undefined
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave()
    this.feed.views.leave(this.#view)
    if (error instanceof ChangeReaderTooSlow) this.feed.dropped++
    this.#whenRoom?.()
    done(error)
  }

  /** Changes when the client's rights change; undefined for a stream of code. */
  get rightsKey(): string | undefined {
    return this.#view.rightsKey
  }

  /** The position after everything read so far; undefined while events are queued, and if the changes are not in a log. */
  get readTo(): string | undefined {
    if (this.#position === undefined || this.readableLength > 0 || this.#isCatchingUp) return undefined
    return this.feed.log?.disguise(this.#position)
  }

  #hear(event: ChangeEvent): void {
    this.#hasHeardMore = true
    if (this.#isCatchingUp && event.position !== undefined) return
    const { log } = this.feed
    if (this.#isAhead && log !== undefined && this.#wasRead(log, event)) return
    const shown = this.#view.shownOf(event)
    if (shown !== undefined && this.readableLength >= this.#limit) {
      if (log === undefined || event.position === undefined)
        this.destroy(new ChangeReaderTooSlow(`a change reader has ${this.#limit} unread events`))
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

  /** Reads the log until there are no further entries. */
  async #catchUp(log: ChangeLog): Promise<void> {
    this.#isCatchingUp = true
    this.#isAhead = true
    try {
      while (!this.destroyed && (await this.#readPage(log)));
      this.#isCatchingUp = false
    } catch (error) {
      this.destroy(
        error instanceof LogPositionUnknown
          ? new ChangeReaderTooSlow('changes were purged before a reader read them', { cause: error })
          : (error as Error) // what rejects here are errors
      )
    }
  }

  /** Reads a page; false if there are no more. */
  async #readPage(log: ChangeLog): Promise<boolean> {
    this.#hasHeardMore = false
    const page = await this.feed.inTurn(async () => (this.destroyed ? [] : log.read(this.#position ?? '', pageSize)))
    for (const { change, position } of page) {
      if (this.readableLength >= this.#limit) await this.#room()
      if (this.destroyed) return false
      const shown = this.feed.covers(change.model) ? this.#view.shownOf(this.feed.eventOf(change)) : undefined
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
}

/** The start position of a stream. */
interface StreamOpening {
  /** The position from which to continue. */
  readonly after: string | undefined
  /** The log reaches back to that position. */
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
 * @param after what `feed.positionOf` returned for the last event that was read: the stream continues after it, or `missedSome` reports that later events are lost
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
  const view = new StreamView(wanted, await streamRights(model, call))
  const { log } = feed
  await log?.heard()
  const isInLog = after !== undefined && log !== undefined && (await reachesBack(log, after))
  return new ChangeStream(feed, view, { after, isInLog })
}

/** Counts the change streams of every model that has had one. */
export function countStreams(registry: Registry): StreamCount[] {
  return feedsOf(registry)
    .all()
    .map(({ model, readers, sent, dropped }) => ({ model: model.name, open: readers, sent, dropped }))
}
