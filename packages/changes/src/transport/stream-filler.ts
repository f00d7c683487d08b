import {
  type ConnectorChangeLog,
  type LogEntry,
  type LogOrder,
  type LogPlace,
  LogPositionUnknown
} from '@modelwire/core/plugin'
import type { Candidate, ChangeStreamConnection, StreamEntry } from './change-transport.ts'
import { comparePlaces, writePlace } from './log-places.ts'
import { encodeRow } from './row-json.ts'

/** What a stream is filled from. */
export interface FillerParts {
  readonly source: Pick<ConnectorChangeLog, 'latest' | 'read'>
  readonly order: LogOrder
  readonly stream: ChangeStreamConnection
  readonly candidate: Candidate
  /** The identity of the log. */
  readonly log: string
}

/** Up to where a stream is filled. */
interface Filled {
  readonly position: string
  readonly place: LogPlace
  readonly mark: string
}

/** What became of an attempt to fill a stream: refused where its end, or the lease, is another one. */
export type Filling = 'appended' | 'complete' | 'refused'

/** Entries that are read at once. */
const pageSize = 500
/** Bytes of rows that are appended at once. */
const chunkBytes = 1_000_000

/**
 * Appends what is in a database's log behind the last entry of a stream. The stream itself says where to go on, so that another
 * process can do so after a crash; and each entry is appended only where the stream's end is the one that was read.
 */
export class StreamFiller {
  readonly #parts: FillerParts
  #filled: Filled | undefined

  constructor(parts: FillerParts) {
    this.#parts = parts
  }

  /** Appends the next changes. @throws {ChangeTransportFailed} and what the log throws */
  async fill(): Promise<Filling> {
    this.#filled ??= await this.#resume()
    if (this.#filled === undefined) return 'refused'
    const page = await this.#readPage(this.#filled)
    if (page === undefined) this.#filled = await this.#startAfresh()
    else for (const chunk of await this.#chunksOf(page)) await this.#append(chunk)
    if (this.#filled === undefined) return 'refused'
    return page?.length === 0 ? 'complete' : 'appended'
  }

  /** Undefined where nothing can go on from there. */
  async #readPage({ position }: Filled): Promise<readonly LogEntry[] | undefined> {
    try {
      return await this.#parts.source.read(position, pageSize)
    } catch (error) {
      if (error instanceof LogPositionUnknown) return undefined
      throw error
    }
  }

  async #resume(): Promise<Filled | undefined> {
    const { entry, mark } = await this.#parts.stream.tail()
    if (entry?.texts.log !== this.#parts.log) return this.#startAfresh()
    return { position: entry.texts.position, place: entry.place, mark }
  }

  /** Begins at the end of the log. What stands before it there is not in the stream: readers learn so from the first entry. */
  async #startAfresh(): Promise<Filled | undefined> {
    const { source, order, stream, candidate, log } = this.#parts
    const position = await source.latest()
    const place = await order.placeOf(position)
    const { entry, mark } = await stream.tail()
    if (place === undefined) return undefined
    const texts = { log, version: candidate.version, position, previous: writePlace(place), kind: 'start', model: '' }
    const start: StreamEntry = { place, texts: { ...texts, at: new Date().toISOString() }, row: undefined }
    const clears = entry !== undefined && (entry.texts.log !== log || comparePlaces(entry.place, place) >= 0)
    const next = await stream.append([start], { candidate, mark, clears })
    return next === undefined ? undefined : { position, place, mark: next }
  }

  /** Where it is refused, or its answer does not come, the end of the stream is looked for again, and nothing more appended. */
  async #append(entries: readonly StreamEntry[]): Promise<void> {
    const { stream, candidate } = this.#parts
    const [last, mark] = [entries.at(-1), this.#filled?.mark]
    this.#filled = undefined
    if (last === undefined || mark === undefined) return
    const next = await stream.append(entries, { candidate, mark, clears: false })
    if (next !== undefined) this.#filled = { position: last.texts.position, place: last.place, mark: next }
  }

  async #chunksOf(page: readonly LogEntry[]): Promise<readonly StreamEntry[][]> {
    const maxBytes = await this.#parts.stream.maxBytes()
    const chunks: StreamEntry[][] = []
    let previous: LogPlace = this.#filled?.place ?? [0, 0]
    let size = Number.POSITIVE_INFINITY
    for (const entry of page) {
      const next = await this.#entryOf(entry, previous, maxBytes)
      const bytes = next.row?.length ?? 0
      if (size + bytes > chunkBytes) chunks.push([])
      size = size + bytes > chunkBytes ? bytes : size + bytes
      chunks.at(-1)?.push(next)
      previous = next.place
    }
    return chunks
  }

  async #entryOf(entry: LogEntry, previous: LogPlace, maxBytes: number): Promise<StreamEntry> {
    const { order, log, candidate } = this.#parts
    const { position, kind, model, at } = entry
    const place = await order.placeOf(position)
    if (place === undefined) throw new LogPositionUnknown('the log gave a position that it does not know')
    const row = encodeRow(entry.row)
    const texts = { log, version: candidate.version, position, previous: writePlace(previous), kind, model }
    const isTooLarge = Buffer.byteLength(row) > maxBytes
    return { place, texts: { ...texts, at: at.toISOString() }, row: isTooLarge ? undefined : row }
  }
}
