import { NotImplemented } from '@modelwire/core'
import { type ConnectorChangeLog, type LogEntry, LogPositionUnknown, type ModelType } from '@modelwire/core/connector'
import type { ChangeStream } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import type { ServerKind } from '../client/server-kind.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { collectionState } from '../migrate/collection-state.ts'
import { listenForChanges } from './listen-for-changes.ts'
import { entriesOf } from './log-entries.ts'
import { comparePlaces, compareTokens, type LogPlace, type LogToken, readToken } from './log-places.ts'
import { readPosition, writePosition } from './log-positions.ts'
import { LogStream } from './log-stream.ts'
import { sharedSecret } from './position-secret.ts'
import { hasImages, keepsImages } from './record-images.ts'
import { type StreamStart, watchCollections, watchForAny } from './watch-models.ts'

/** What a log is made of. */
export interface ChangeLogParts {
  readonly session: MongoSession
  /** Those that log their changes. */
  readonly models: readonly ModelType[]
  readonly mapOf: (model: ModelType) => DocumentMap
}

/** A part of the server's log without changes of the models: all positions in it are one. */
interface Quiet {
  readonly from: LogToken
  readonly to: LogToken
}

/** The server cannot go on from a token: its log does not reach back to it, or it is one of another server. */
const lostCodes: ReadonlySet<unknown> = new Set([136, 260, 280, 286])

/** The log that a replica set keeps of its changes, read by change streams. */
export class MongodbChangeLog implements ConnectorChangeLog {
  readonly #parts: ChangeLogParts
  #secret: Buffer | undefined
  /** The stream that goes on where the last page ended. */
  #kept: LogStream | undefined
  #quiet: Quiet | undefined
  /** The last change that was reported to this process. */
  #known: LogToken | undefined
  #isClosed = false

  constructor(parts: ChangeLogParts) {
    this.#parts = parts
  }

  /** A single server has no change streams. */
  isKept(): boolean | undefined {
    return this.#parts.session.knownServer?.isReplicated
  }

  async unprepared(): Promise<readonly string[]> {
    const { session, models, mapOf } = this.#parts
    const server = await session.server()
    if (!server.isReplicated) return models.map(({ name }) => name)
    if (!hasImages(server)) return []
    const states = await Promise.all(models.map(async (model) => collectionState(session, mapOf(model).collection)))
    return models.filter((_model, at) => !keepsImages(states[at]?.options ?? {})).map(({ name }) => name)
  }

  async latest(): Promise<string> {
    const { session } = this.#parts
    const server = await session.server()
    const secret = await this.#secretOf()
    const token = await this.#reading(async () => {
      const stream = this.#watch(server, {})
      try {
        await stream.tryNext()
        return readToken(stream.resumeToken)
      } finally {
        await stream.close()
      }
    })
    if (token === undefined) throw new NotImplemented('the server does not report where its change streams are')
    this.#learn(server, token)
    return writePosition(secret, { token })
  }

  disguise(position: string): string {
    const place = this.#secret && readPosition(this.#secret, position)
    return place && this.#secret ? writePosition(this.#secret, this.#latestOf(place)) : position
  }

  isBehind(position: string, other: string): boolean {
    if (this.#secret === undefined) return false
    const [place, before] = [readPosition(this.#secret, position), readPosition(this.#secret, other)]
    return place !== undefined && before !== undefined && comparePlaces(place, before) > 0
  }

  async read(after: string, limit: number): Promise<readonly LogEntry[]> {
    const server = await this.#parts.session.server()
    const secret = await this.#secretOf()
    const place = readPosition(secret, after)
    if (place === undefined) throw new LogPositionUnknown('the position is not one of the log')
    return this.#reading(async () => {
      const stream = this.#streamBehind(place, server)
      const page = await this.#pageOf(stream, limit)
      const last = page.at(-1)
      if (last !== undefined) this.#learn(server, last.place.token)
      if (page.length === 0) this.#rested(place, stream.seen)
      return page.map(({ place: own, ...entry }) => ({ ...entry, position: writePosition(secret, own) }))
    })
  }

  /** The server removes its log, and the records as they were, by itself. */
  async purge(): Promise<number> {
    return 0
  }

  async listen(wake: () => void): Promise<() => Promise<void>> {
    const { session } = this.#parts
    // Without one, the log is looked at once in a while.
    if (!(await session.server()).isReplicated) return async () => {}
    return listenForChanges(() => watchForAny(session, this.#collections()), wake)
  }

  /** Closes the stream that is kept open, and keeps none any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    const kept = this.#kept
    this.#kept = undefined
    await kept?.close()
  }

  /** Keeps a stream open again. */
  reopen(): void {
    this.#isClosed = false
  }

  async #secretOf(): Promise<Buffer> {
    return (this.#secret ??= await sharedSecret(this.#parts.session))
  }

  #collections(): string[] {
    const { models, mapOf } = this.#parts
    return [...new Set(models.map((model) => mapOf(model).collection))]
  }

  #watch(server: ServerKind, start: StreamStart): ChangeStream {
    return watchCollections(this.#parts.session, server, this.#collections(), start)
  }

  /** The stream that stands there already, or a new one. */
  #streamBehind(place: LogPlace, server: ServerKind): LogStream {
    const kept = this.#kept
    if (kept !== undefined && comparePlaces(this.#latestOf(kept.place), this.#latestOf(place)) === 0) {
      this.#kept = undefined
      return kept
    }
    const { models, mapOf } = this.#parts
    const entries = { maps: models.map(mapOf), hasImages: hasImages(server) }
    return new LogStream({
      place: this.#latestOf(place),
      open: (start) => this.#watch(server, start),
      entriesOf: (event) => entriesOf(entries, event)
    })
  }

  async #pageOf(stream: LogStream, limit: number): ReturnType<LogStream['page']> {
    try {
      return await stream.page(limit, this.#known)
    } finally {
      await this.#keep(stream)
    }
  }

  /** Those that follow the log stand ahead of those that go on from somewhere: their stream is kept. */
  async #keep(stream: LogStream): Promise<void> {
    const kept = this.#kept
    const isAhead = kept === undefined || !kept.isOpen || comparePlaces(stream.place, kept.place) > 0
    if (this.#isClosed || !stream.isOpen || !isAhead) return stream.close()
    this.#kept = stream
    await kept?.close()
  }

  /** A router says that there are no changes before it has asked all others. */
  #learn({ isSharded }: ServerKind, token: LogToken): void {
    if (!isSharded) return
    if (this.#known === undefined || compareTokens(token, this.#known) > 0) this.#known = token
  }

  /** A stream that finds nothing moves on, and what it leaves behind may be removed from the server's log. */
  #rested({ token, within }: LogPlace, seen: LogToken | undefined): void {
    if (within !== undefined || seen === undefined || compareTokens(seen, token) <= 0) return
    const quiet = this.#quiet
    const isBefore = quiet !== undefined && compareTokens(token, quiet.from) < 0
    const isWithin = quiet !== undefined && !isBefore && compareTokens(token, quiet.to) <= 0
    if (quiet !== undefined && compareTokens(seen, quiet.to) <= 0) return
    this.#quiet = { from: isWithin ? quiet.from : token, to: seen }
  }

  /** The last place that is the same one for readers. */
  #latestOf(place: LogPlace): LogPlace {
    const quiet = this.#quiet
    if (quiet === undefined || place.within !== undefined) return place
    const isWithin = compareTokens(place.token, quiet.from) >= 0 && compareTokens(place.token, quiet.to) <= 0
    return isWithin ? { token: quiet.to } : place
  }

  async #reading<Result>(work: () => Promise<Result>): Promise<Result> {
    const { session } = this.#parts
    return session.outside({ isRead: true }, async () => {
      try {
        return await work()
      } catch (error) {
        if (!lostCodes.has(Reflect.get(Object(error), 'code'))) throw error
        throw new LogPositionUnknown('the log of the database does not reach back to the position', { cause: error })
      }
    })
  }
}
