import { randomUUID, createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LogPlace } from '@modelwire/core/plugin'
import {
  type ConnectorChangeLog,
  type LogOrder,
  type ModelType,
  type PropertyType,
  type LogEntry,
  LogPositionUnknown
} from '@modelwire/core/connector'
import { ChangeTransportFailed } from '../errors.ts'
import {
  type Candidate,
  type ChangeStreamConnection,
  type StreamEntry,
  comparePlaces,
  writePlace
} from './change-transport.ts'
import type { TransportHealth } from './through-transport.ts'
import { encodeRow } from './row-json.ts'

/** The sources that a stream is filled from. */
interface FillerParts {
  readonly source: Pick<ConnectorChangeLog, 'latest' | 'read'>
  readonly order: LogOrder
  readonly stream: ChangeStreamConnection
  readonly candidate: Candidate
  /** The identity of the log. */
  readonly log: string
}

/** How far a stream is filled. */
interface Filled {
  readonly position: string
  readonly place: LogPlace
  readonly mark: string
}

/** The result of an attempt to fill a stream: refused if its end, or the lease, has changed. */
type Filling = 'appended' | 'complete' | 'refused'

/** Entries that are read at once. */
const pageSize = 500

/** Bytes of rows that are appended at once. */
const chunkBytes = 1_000_000

/**
 * Appends entries of a database's log that come after the last entry of a stream. The stream itself records where to
 * continue, so that another process can do so after a crash; each entry is only appended if the stream's end is the one
 * that was read.
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

  /** Undefined if it is impossible to continue from there. */
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

  /** Restarts at the end of the log. The first entry tells readers that earlier changes are not in the stream. */
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

  /**
   * Appends entries; if that is refused, or not confirmed, the end of the stream is determined again, and nothing more is
   * appended.
   */
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
    if (place === undefined)
      throw new LogPositionUnknown('the change log returned a position that it does not recognize')
    const row = encodeRow(entry.row)
    const texts = { log, version: candidate.version, position, previous: writePlace(previous), kind, model }
    const isTooLarge = Buffer.byteLength(row) > maxBytes
    return { place, texts: { ...texts, at: at.toISOString() }, row: isTooLarge ? undefined : row }
  }
}

type ValueType = PropertyType['type']

const shapeOfProperty = ({ name, type }: PropertyType): unknown => [name, shapeOf(type)]

/** Waits that can be cut short, and keep no process alive. */
class Alarm {
  #isRung = false
  #wake: (() => void) | undefined

  /** Ends the wait, or the next one. */
  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Resolves after some milliseconds, or when it rings. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isRung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds).unref()
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#wake = undefined
    this.#isRung = false
  }
}

/** The dependencies for filling a stream. */
export interface RelayParts {
  readonly source: Pick<ConnectorChangeLog, 'latest' | 'read' | 'listen'>
  readonly order: LogOrder
  readonly models: readonly ModelType[]
  readonly stream: ChangeStreamConnection
  readonly health: TransportHealth
  /** Milliseconds between two reads of the log. */
  readonly pollInterval: number
  /** Called with the first of several errors in a row that are not the transport's, and with undefined when it works again. */
  readonly onState: (error: unknown) => void
}

/** A process that reads a stream, and may fill it. */
export interface Self extends Candidate {
  /** The identity of the log. */
  readonly log: string
}

/** Milliseconds until it is tried again where the server does not answer. */
const retryPause = 250
/** Milliseconds between two looks at the log while changes come one after the other. */
const breath = 20

/**
 * Lets one process at a time fill the stream of a data source, while it holds the lease. The lease is renewed between two
 * pages of the log, not by a timer: a process that hangs loses it.
 */
export class StreamRelay {
  readonly #parts: RelayParts
  readonly #alarm = new Alarm()
  #self: Self | undefined
  /** The version of the models of the process that fills the stream. */
  #filledBy: string | undefined
  #isLeading = false
  #isOver = false
  #isDatabaseDown = false
  #takenAt = 0
  #running: Promise<void> | undefined

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  /** Undefined until the log has identified itself, and while no process with the same models fills the stream. */
  get reader(): Self | undefined {
    return this.#parts.health.isDown || this.#filledBy !== this.#self?.version ? undefined : this.#self
  }

  get isLeading(): boolean {
    return this.#isLeading
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.touch()
    await this.#running
  }

  /** Notifies that the log may have new entries. */
  touch(): void {
    this.#alarm.ring()
  }

  async #run(): Promise<void> {
    const { leaseTime } = this.#parts.stream
    while (!this.#isOver) {
      const wait = await this.#guard(() => this.#stand())
      if (!this.#isOver) await this.#alarm.wait(wait ?? leaseTime / 3)
    }
  }

  /** Fills the stream if this process gets the lease. */
  async #stand(): Promise<void> {
    this.#self ??= await this.#introduce()
    if (!(await this.#take(this.#self))) return this.#succeeds()
    const stopListening = await this.#listen()
    try {
      await this.#lead(this.#self)
    } finally {
      this.#isLeading = false
      await Promise.allSettled([stopListening?.(), this.#parts.stream.release(this.#self)])
    }
  }

  async #introduce(): Promise<Self> {
    const log = await this.#parts.order.identity()
    return { log, token: randomUUID(), version: modelsVersion(log, this.#parts.models) }
  }

  async #lead(self: Self): Promise<void> {
    const { source, order, stream, pollInterval } = this.#parts
    const filler = new StreamFiller({ source, order, stream, candidate: self, log: self.log })
    this.#isLeading = true
    while (!this.#isOver && (await this.#keeps(self))) {
      const filling = await filler.fill()
      if (filling === 'refused') this.#takenAt = Number.NEGATIVE_INFINITY
      else this.#succeeds()
      if (filling !== 'complete') continue
      await pause(breath, undefined, { ref: false })
      await this.#alarm.wait(Math.min(pollInterval, stream.leaseTime / 3))
    }
  }

  async #take(self: Self): Promise<boolean> {
    const at = performance.now()
    const { isMine, version } = await this.#parts.stream.lease(self)
    this.#filledBy = version
    this.#takenAt = at
    return isMine
  }

  /** Whether the lease is still held. */
  async #keeps(self: Self): Promise<boolean> {
    return performance.now() - this.#takenAt < this.#parts.stream.leaseTime / 3 || this.#take(self)
  }

  /** Listens for notifications; a database without them is polled. */
  async #listen(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#parts.source.listen?.(() => this.touch())
    } catch {
      return undefined
    }
  }

  /** Milliseconds to wait after a failure: another process gets the lease if only this one has lost the database. */
  async #guard(work: () => Promise<void>): Promise<number | undefined> {
    try {
      await work()
      return undefined
    } catch (error) {
      this.#filledBy = undefined
      if (!(error instanceof ChangeTransportFailed)) return this.#databaseFails(error)
      this.#parts.health.failed(error)
      return retryPause
    }
  }

  #databaseFails(error: unknown): number {
    if (!this.#isDatabaseDown) this.#parts.onState(error)
    this.#isDatabaseDown = true
    return this.#parts.stream.leaseTime
  }

  #succeeds(): void {
    this.#parts.health.works()
    if (this.#isDatabaseDown) this.#parts.onState(undefined)
    this.#isDatabaseDown = false
  }
}

function shapeOf(type: ValueType): unknown {
  if (type.kind === 'array') return [type.kind, type.items && shapeOf(type.items)]
  if (type.kind === 'nested') return [type.kind, type.properties.map(shapeOfProperty)]
  return type.kind === 'model' ? [type.kind, type.model] : type.kind
}

/** A text that is another one where rows of a log would be read with other properties, or those of other models. */
function modelsVersion(log: string, models: readonly ModelType[]): string {
  const shapes = models.map(({ name, properties }) => [name, properties.map(shapeOfProperty)])
  const text = JSON.stringify([log, shapes.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
