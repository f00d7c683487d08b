import { Readable } from 'node:stream'
import { restrictionFor } from '../access/restriction-for.ts'
import type { Call } from '../contract/call.ts'
import { InvalidFilter } from '../errors.ts'
import { isClientQuery, compileFields, compileOptionalWhere, whereOptions } from '../filter/compile-filter.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { checkReadable } from '../filter/restriction.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { ModelType } from '../contract/model-type.ts'
import { describe } from '../values/describe.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { ChangeEvent } from './change-event.ts'
import { type ChangeFeed, feedsOf } from './change-feed.ts'
import { ChangeReaderTooSlow } from './errors.ts'
import { isAbout, keyOfRights, type StreamRights, streamRights } from './stream-rights.ts'

/** Which events a reader wants, and what of them. */
interface Wanted {
  readonly matches: ((event: ChangeEvent) => boolean) | undefined
  readonly fields: ReadonlySet<string> | undefined
  /** The models whose changes are reported; all when absent. */
  readonly models?: ReadonlySet<string> | undefined
}

/** @throws {InvalidFilter} a part of `options` is malformed */
function compileWanted(model: ModelType, options: unknown, call: Call, restriction: Restriction | undefined): Wanted {
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

/** Makes the predicate for the events that a condition matches; undefined where it matches all. */
function compileMatches(
  model: ModelType,
  where: unknown,
  call: Call,
  restriction: Restriction | undefined
): Wanted['matches'] {
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

/**
 * Reads the changes of a model's records, as objects: `ChangeEvent`s. Events wait for a reader that pauses, up to a limit;
 * one that is too slow for that is ended with `ChangeReaderTooSlow` rather than served with gaps.
 */
export class ChangeStream extends Readable {
  readonly feed: ChangeFeed
  /** The number of the last event before this stream; undefined for one that goes on from an earlier event. */
  start: number | undefined
  /** Events between the position that the stream should go on from and its first one are lost. */
  missedSome = false
  readonly #wanted: Wanted
  /** Another text where the client's rights are others. */
  readonly rightsKey: string
  readonly #rights: StreamRights | undefined
  readonly #limit: number
  readonly #leave: () => void

  constructor(feed: ChangeFeed, wanted: Wanted, rights: StreamRights | undefined) {
    const limit = feed.waiting
    super({ objectMode: true, highWaterMark: limit })
    this.feed = feed
    this.#wanted = wanted
    this.#rights = rights
    this.rightsKey = keyOfRights(rights)
    this.#limit = limit
    this.start = feed.count
    this.#leave = feed.follow((event) => this.#take(event))
  }

  /** Nothing is fetched: events come when something changes. */
  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave()
    done(error)
  }

  /**
   * Puts the kept events after `position` before those to come. Where some of them are lost, `missedSome` says so.
   * @param position what `feed.positionOf` returned for the last event that was read
   */
  resumeFrom(position: string): void {
    const missed = this.feed.since(position)
    this.missedSome = missed === undefined
    if (missed !== undefined) this.start = undefined
    for (const event of missed ?? []) this.#take(event)
  }

  #take(event: ChangeEvent): void {
    const { matches, fields, models } = this.#wanted
    if (models?.has(event.model) === false) return
    const rights = this.#rights?.get(event.model)
    if (this.#rights !== undefined && (rights === undefined || !isAbout(event, rights))) return
    const { readable } = rights ?? {}
    if (matches?.(readable === undefined ? event : event.withinReadable(readable, undefined)) === false) return
    if (this.readableLength >= this.#limit) {
      this.feed.dropped++
      this.destroy(new ChangeReaderTooSlow(`a reader of changes left ${this.#limit} events waiting`))
      return
    }
    this.feed.sent++
    if (readable !== undefined) this.push(event.withinReadable(readable, fields))
    else this.push(fields === undefined ? event : event.withFields(fields))
  }
}

/**
 * Opens a stream of the changes of a model and of those that extend it.
 * @param options `where`: only changes that leave a record matching it; `fields`: what to show of records; `models`:
 * names of the models among them whose changes are reported
 * @throws {InvalidFilter} a part of `options` is malformed
 * @throws the error that access control refuses the client with
 */
export async function openChangeStream(model: ModelType, options: unknown, call: Call): Promise<ChangeStream> {
  const restriction = await restrictionFor(model, call, 'createChangeStream')
  const wanted = compileWanted(model, options, call, restriction)
  return new ChangeStream(feedsOf(model.registry).of(model), wanted, await streamRights(model, call))
}
