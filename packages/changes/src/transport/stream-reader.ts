import type { LogPlace } from '@modelwire/core/plugin'
import type { ConnectorChangeLog, LogEntry, LogOrder } from '@modelwire/core/connector'
import {
  type ChangeStreamConnection,
  type StreamEntry,
  comparePlaces,
  laterPlace,
  readPlace
} from './change-transport.ts'
import { decodeRow } from './row-json.ts'
import type { Self } from './stream-relay.ts'
import type { TransportHealth } from './through-transport.ts'

/** The dependencies of a stream reader. */
export interface ReaderParts {
  readonly source: Pick<ConnectorChangeLog, 'latest' | 'read'>
  readonly order: LogOrder
  readonly stream: ChangeStreamConnection
  readonly health: TransportHealth
  /** Undefined while the stream is unreliable. */
  readonly self: () => Self | undefined
}

/** Milliseconds after which a silent stream is compared with the log, whatever keeps it silent. */
const comparisonInterval = 30_000

/** The change of an entry. */
const entryOf = ({ texts: { position, model, kind, at } }: StreamEntry, row: string): LogEntry => ({
  position,
  model,
  kind: kind as LogEntry['kind'], // of an entry with a row
  at: new Date(at),
  row: decodeRow(row)
})

/** The entries up to the first one that does not follow on the one before it, or that other models have read. */
function unbrokenPart(page: readonly StreamEntry[], after: LogPlace, self: Self): readonly LogEntry[] {
  const part: LogEntry[] = []
  let at = after
  for (const { place, texts, row } of page) {
    const previous = readPlace(texts.previous)
    const isKnown = texts.log === self.log && texts.version === self.version
    if (!isKnown || row === undefined || previous === undefined || comparePlaces(previous, at) > 0) break
    if (comparePlaces(place, at) > 0) part.push(entryOf({ place, texts, row }, row))
    at = laterPlace(place, at)
  }
  return part
}

/**
 * Reads changes from a stream, and from the database's log if the stream does not have them. Both have the same positions
 * in the same order. Every entry contains the preceding place, so that a gap is detected whatever its reason: trimmed
 * entries, a server that lost its data, models of another version.
 */
export class StreamReader {
  readonly #parts: ReaderParts
  /** The furthest place that this process has read: its readers must not be given an earlier end. */
  #furthest: LogPlace = [0, 0]
  /** There are no log entries between these two: the stream continues at the second one. */
  #bridge: { readonly after: string; readonly to: LogPlace } | undefined
  #comparedAt = performance.now()

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  async latest(): Promise<string> {
    const position = await this.#parts.source.latest()
    await this.#reached(position)
    return position
  }

  /**
   * Same as `read` of a log.
   * @throws {LogPositionUnknown}
   */
  async read(after: string, limit: number): Promise<readonly LogEntry[]> {
    const self = this.#parts.self()
    const place = self && (await this.#parts.order.placeOf(after))
    if (self === undefined || place === undefined) return this.#readLog(after, limit)
    const from = this.#bridge?.after === after ? laterPlace(this.#bridge.to, place) : place
    const page = await this.#readStream(from, limit)
    const part = page && unbrokenPart(page, from, self)
    if (part !== undefined && part.length > 0) return this.#pass(part)
    if (page?.length === 0 && !this.#doubts(place)) return []
    const entries = await this.#readLog(after, limit)
    const last = page?.findLast(({ texts }) => texts.log === self.log)
    // The log was read after the stream was: what is in the stream, and not in it, is of no interest here.
    if (entries.length === 0 && last !== undefined) this.#bridge = { after, to: last.place }
    return entries
  }

  /** Undefined if reading fails. */
  async #readStream(after: LogPlace, limit: number): Promise<readonly StreamEntry[] | undefined> {
    try {
      return await this.#parts.stream.read(after, limit)
    } catch (error) {
      this.#parts.health.failed(error)
      return undefined
    }
  }

  async #readLog(after: string, limit: number): Promise<readonly LogEntry[]> {
    this.#comparedAt = performance.now()
    return this.#pass(await this.#parts.source.read(after, limit))
  }

  async #pass(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    const last = entries.at(-1)
    if (last !== undefined) await this.#reached(last.position)
    return entries
  }

  async #reached(position: string): Promise<void> {
    const place = await this.#parts.order.placeOf(position)
    if (place !== undefined) this.#furthest = laterPlace(place, this.#furthest)
  }

  /** Whether the end of the stream may differ from that of the log, or the place may not belong to the log. */
  #doubts(place: LogPlace): boolean {
    return comparePlaces(place, this.#furthest) !== 0 || performance.now() - this.#comparedAt > comparisonInterval
  }
}
