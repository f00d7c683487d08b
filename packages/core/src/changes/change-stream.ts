import { Readable } from 'node:stream'
import { InvalidFilter } from '../errors.ts'
import { compileFields, compileOptionalWhere, type QueryOptions, whereOptions } from '../filter/compile-filter.ts'
import { compilePredicate, type Predicate } from '../filter/match-where.ts'
import { splitTrusted } from '../filter/trusted-where.ts'
import type { ModelType } from '../model/model-type.ts'
import { describe } from '../values/coerce-value.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { ChangeEvent } from './change-event.ts'
import type { ChangeFeed } from './change-feed.ts'
import { ChangeReaderTooSlow } from './errors.ts'

/** Which events a reader wants, and what of them. */
interface Wanted {
  readonly matches: ((event: ChangeEvent) => boolean) | undefined
  readonly fields: ReadonlySet<string> | undefined
  /** The models whose changes are told; all when absent. */
  readonly models?: ReadonlySet<string> | undefined
}

/** @throws {InvalidFilter} a part of `options` is malformed */
function compileWanted(model: ModelType, options: unknown, caller: QueryOptions): Wanted {
  if (options === undefined || options === null) return { matches: undefined, fields: undefined }
  if (!isPlainObject(options))
    throw new InvalidFilter(`options of a change stream must be an object, not ${describe(options)}`)
  return {
    matches: compileMatches(model, options['where'], caller),
    fields: compileFields(model, options['fields'], whereOptions(caller)),
    models: readModels(options['models'])
  }
}

/** Makes the function that says which events a condition is about; undefined where it is about all. */
function compileMatches(model: ModelType, where: unknown, caller: QueryOptions): Wanted['matches'] {
  const { asked, trusted } = splitTrusted(where)
  const condition = compileOptionalWhere(model, asked, caller)
  const matches = condition && compileMatch(compilePredicate(condition), caller)
  const own = compileOptionalWhere(model, { and: trusted })
  if (own === undefined) return matches
  const isOwn = compilePredicate(own)
  const idName = model.idProperty?.name ?? 'id'
  // What changed many records, or is gone, does not say of which records it tells.
  const isKnown = ({ data }: ChangeEvent): boolean => data?.[idName] !== undefined && isOwn(data)
  return (event) => isKnown(event) && matches?.(event) !== false
}

/** Models that extend the followed one may hide more: a client's condition sees what it could be told. */
function compileMatch(matches: Predicate, caller: QueryOptions): (event: ChangeEvent) => boolean {
  const isClients = caller.prohibitHiddenPropertiesInQuery === true
  // LB3: a deletion tells no data; conditions see an empty record. Read in LoopBack's answers, by hand.
  return (event) => matches((isClients ? event.shownData : event.data) ?? {})
}

/** @throws {InvalidFilter} it is no list of names */
function readModels(names: unknown): ReadonlySet<string> | undefined {
  if (names === undefined || names === null) return undefined
  if (Array.isArray(names) && names.every((name): name is string => typeof name === 'string')) return new Set(names)
  throw new InvalidFilter(`models of a change stream must be a list of names, not ${describe(names)}`)
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
  readonly #limit: number
  readonly #leave: () => void

  constructor(feed: ChangeFeed, wanted: Wanted, limit: number) {
    super({ objectMode: true, highWaterMark: limit })
    this.feed = feed
    this.#wanted = wanted
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
   * @param position what `feed.positionOf` gave for the last event that was read
   */
  goOnFrom(position: string): void {
    const missed = this.feed.since(position)
    this.missedSome = missed === undefined
    if (missed !== undefined) this.start = undefined
    for (const event of missed ?? []) this.#take(event)
  }

  #take(event: ChangeEvent): void {
    const { matches, fields, models } = this.#wanted
    if (models?.has(event.model) === false || matches?.(event) === false) return
    if (this.readableLength >= this.#limit)
      this.destroy(new ChangeReaderTooSlow(`a reader of changes left ${this.#limit} events waiting`))
    else this.push(fields === undefined ? event : event.withFields(fields))
  }
}

/**
 * Opens a stream of the changes of a model and of those that extend it.
 * @param options `where`: only changes that leave a record matching it; `fields`: what to show of records; `models`: names of
 * the models among them whose changes are told
 * @throws {InvalidFilter} a part of `options` is malformed
 */
export function openChangeStream(model: ModelType, options: unknown, caller: QueryOptions): ChangeStream {
  const wanted = compileWanted(model, options, caller)
  const { feeds } = model.registry
  return new ChangeStream(feeds.of(model), wanted, feeds.limits.waiting)
}
