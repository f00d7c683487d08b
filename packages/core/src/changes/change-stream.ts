import type { Call } from '../contract/call.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Restriction } from '../contract/access-control.ts'
import { InvalidFilter, ChangeReaderTooSlow, LogPositionUnknown } from '../errors.ts'
import { compileFields, compileOptionalWhere, isClientQuery, whereOptions } from '../filter/compile-filter.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { whereNamesRelation } from '../filter/related-conditions.ts'
import { checkReadable } from '../filter/restriction.ts'
import { isPlainObject } from '@modelwire/server'
import { describe } from '../values/describe.ts'
import type { ChangeEvent } from './change-event.ts'
import { Readable } from 'node:stream'
import { restrictionFor } from '../access/call.ts'
import type { ChangeLog } from '../contract/change-log.ts'
import { type ChangeFeed, feedsOf } from './change-feed.ts'
import { isAbout, keyOfRights, type StreamRights, streamRights } from './stream-rights.ts'
import type { Registry } from '../contract/registry.ts'

/** The events that a reader requests, and their properties. */
export interface Wanted {
  readonly matches: ((event: ChangeEvent) => boolean) | undefined
  readonly fields: ReadonlySet<string> | undefined
  /** The models whose changes are reported; all when absent. */
  readonly models?: ReadonlySet<string> | undefined
}

/**
 * Compiles the options of a stream.
 * @throws {InvalidFilter} a part of `options` is malformed
 */
export function compileWanted(
  model: ModelType,
  options: unknown,
  call: Call,
  restriction: Restriction | undefined
): Wanted {
  if (options === undefined || options === null) return { matches: undefined, fields: undefined }
  if (!isPlainObject(options))
    throw new InvalidFilter(`options of a change stream must be an object, not ${describe(options)}`)
  return {
    matches: compileMatches(model, options['where'], call, restriction),
    fields: compileFields(model, options['fields'], whereOptions(call)),
    models: readModels(options['models'])
  }
}

/** @throws {InvalidFilter} it is not a list of names */
function readModels(names: unknown): ReadonlySet<string> | undefined {
  if (names === undefined || names === null) return undefined
  if (Array.isArray(names) && names.every((name): name is string => typeof name === 'string')) return new Set(names)
  throw new InvalidFilter(`models of a change stream must be a list of names, not ${describe(names)}`)
}

/**
 * Makes the predicate for the events that a condition matches; undefined where it matches all.
 * @throws {InvalidFilter} it is malformed, or names a relation: an event has the changed record only
 */
function compileMatches(
  model: ModelType,
  where: unknown,
  call: Call,
  restriction: Restriction | undefined
): Wanted['matches'] {
  if (whereNamesRelation(model, where))
    throw new InvalidFilter(
      'where of a change stream cannot refer to related records: an event only contains the changed record'
    )
  const condition = compileOptionalWhere(model, where, call)
  checkReadable(model, { where: condition }, restriction)
  return condition && compileMatch(compilePredicate(condition), call)
}

/** Models that extend the followed one may hide more: a client's condition sees only what the client may see. */
function compileMatch(matches: Predicate, caller: Call): (event: ChangeEvent) => boolean {
  const isClients = isClientQuery(caller)
  // LB3: a deletion has no data; conditions see an empty record. Read in LoopBack's answers, by hand.
  return (event) => matches((isClients ? event.shownData : event.data) ?? {})
}

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
  /** Changes when the client's rights change. */
  readonly rightsKey: string
  readonly #wanted: Wanted
  readonly #rights: StreamRights | undefined
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
      () => this.destroy(new ChangeReaderTooSlow('changes were purged before this process read them'))
    )
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
    if (error instanceof ChangeReaderTooSlow) this.feed.dropped++
    this.#whenRoom?.()
    done(error)
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
    const shown = this.#shownOf(event)
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

  /** The reader's view of an event; undefined if the reader did not request it or may not see it. */
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

/** The rights and start position of a stream. */
interface StreamOpening {
  readonly rights: StreamRights | undefined
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
  const rights = await streamRights(model, call)
  const { log } = feed
  await log?.heard()
  const isInLog = after !== undefined && log !== undefined && (await reachesBack(log, after))
  return new ChangeStream(feed, wanted, { rights, after, isInLog })
}

/** Counts the change streams of every model that has had one. */
export function countStreams(registry: Registry): StreamCount[] {
  return feedsOf(registry)
    .all()
    .map(({ model, readers, sent, dropped }) => ({ model: model.name, open: readers, sent, dropped }))
}
