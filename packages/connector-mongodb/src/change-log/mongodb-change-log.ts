import { NotImplemented, DuplicateKey } from '@modelwire/core'
import { type ConnectorChangeLog, type LogEntry, LogPositionUnknown, type ModelType } from '@modelwire/core/connector'
import { type ChangeStream, Binary, BSON, type Document, Timestamp } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import type { ServerKind } from '../client/server-address.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { entriesOf } from './log-entries.ts'
import { comparePlaces, compareTokens, type LogPlace, type LogToken, readToken } from './log-places.ts'
import { LogStream } from './log-stream.ts'
import { type StreamStart, watchCollections, watchForAny } from './watch-models.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { idField } from '../names/read-mapping.ts'
import { collectionState, hasImages, keepsImages } from '../client/collection-state.ts'

/** The collection of what all processes have in common that read a log. */
const logCollection = 'modelwire_change_log'

const key: Document = { [idField]: 'positions' }

const cipher = 'aes-256-gcm'

const [ivLength, tagLength] = [12, 16]

/** Tokens of changes are longer than those between changes: positions of both have one length. */
const blockLength = 128

/** Tokens are written in hexadecimal digits, of which half as many bytes are needed. */
const isHex = (text: string): boolean => /^(?:[0-9A-F]{2})+$/.test(text)

const textOf = (data: Document['data']): unknown => (data instanceof Binary ? data.toString('hex').toUpperCase() : data)

/** Milliseconds until a stream that broke off is opened again: the log is looked at meanwhile. */
const pause = 1000

/** The dependencies of a log. */
export interface ChangeLogParts {
  readonly session: MongoSession
  /** The models that log their changes. */
  readonly models: readonly ModelType[]
  readonly mapOf: (model: ModelType) => DocumentMap
}

/** A part of the server's log without changes of the models: all positions in it are equivalent. */
interface Quiet {
  readonly from: LogToken
  readonly to: LogToken
}

/** The server cannot go on from a token: its log does not reach back to it, or it is one of another server. */
const lostCodes: ReadonlySet<unknown> = new Set([136, 260, 280, 286])

/** The log that a replica set keeps of its changes, read with change streams. */
export class MongodbChangeLog implements ConnectorChangeLog {
  readonly #parts: ChangeLogParts
  #secret: Buffer | undefined
  /** The stream that continues after the last page. */
  #kept: LogStream | undefined
  #quiet: Quiet | undefined
  /** The last change that was reported to this process. */
  #known: LogToken | undefined
  #isClosed = false

  constructor(parts: ChangeLogParts) {
    this.#parts = parts
  }

  /** Whether there is a log: a standalone server has no change streams. */
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
    if (token === undefined) throw new NotImplemented('the server does not report the position of its change streams')
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
    if (place === undefined) throw new LogPositionUnknown('unknown position of the change log')
    return this.#reading(async () => {
      const stream = this.#streamBehind(place, server)
      const page = await this.#pageOf(stream, limit)
      const last = page.at(-1)
      if (last !== undefined) this.#learn(server, last.place.token)
      if (page.length === 0) this.#rested(place, stream.seen)
      return page.map(({ place: own, ...entry }) => ({ ...entry, position: writePosition(secret, own) }))
    })
  }

  /** Does nothing: the server removes its log, and its pre-images, itself. */
  async purge(): Promise<number> {
    return 0
  }

  async listen(wake: () => void): Promise<() => Promise<void>> {
    const { session } = this.#parts
    // Without one, the log is looked at once in a while.
    if (!(await session.server()).isReplicated) return async () => {}
    return listenForChanges(() => watchForAny(session, this.#collections()), wake)
  }

  /** Closes the stream that is kept open, and keeps no further one. */
  async close(): Promise<void> {
    this.#isClosed = true
    const kept = this.#kept
    this.#kept = undefined
    await kept?.close()
  }

  /** Allows streams to be kept open again. */
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

  /** The stream that already is at this place, or a new one. */
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

  /** Keeps the stream that is furthest ahead: its reader follows the log, others resume from somewhere. */
  async #keep(stream: LogStream): Promise<void> {
    const kept = this.#kept
    const isAhead = kept === undefined || !kept.isOpen || comparePlaces(stream.place, kept.place) > 0
    if (this.#isClosed || !stream.isOpen || !isAhead) return stream.close()
    this.#kept = stream
    await kept?.close()
  }

  /** Remembers that a router may report that there are no changes before it has queried all shards. */
  #learn({ isSharded }: ServerKind, token: LogToken): void {
    if (!isSharded) return
    if (this.#known === undefined || compareTokens(token, this.#known) > 0) this.#known = token
  }

  /** Advances past a part of the log without changes, since the server may remove it. */
  #rested({ token, within }: LogPlace, seen: LogToken | undefined): void {
    if (within !== undefined || seen === undefined || compareTokens(seen, token) <= 0) return
    const quiet = this.#quiet
    const isBefore = quiet !== undefined && compareTokens(token, quiet.from) < 0
    const isWithin = quiet !== undefined && !isBefore && compareTokens(token, quiet.to) <= 0
    if (quiet !== undefined && compareTokens(seen, quiet.to) <= 0) return
    this.#quiet = { from: isWithin ? quiet.from : token, to: seen }
  }

  /** The last place that is equivalent for readers. */
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

/** Calls `wake` for each change of a stream, and opens it anew when it breaks off, until the returned function is called. */
function listenForChanges(open: () => ChangeStream, wake: () => void): () => Promise<void> {
  const over = new AbortController()
  let stream: ChangeStream | undefined
  const read = async (): Promise<void> => {
    stream = open()
    for (;;) {
      await stream.next()
      wake()
    }
  }
  const listen = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await Promise.allSettled([read()])
      // What was missed is in the log.
      wake()
      await Promise.allSettled([sleep(pause, undefined, { signal: over.signal })])
    }
  }
  const listening = listen()
  return async () => {
    over.abort()
    await stream?.close()
    await listening
  }
}

/**
 * Encodes a place as an opaque position for readers: a different string each time.
 * @param secret 32 bytes, which all processes share
 */
export function writePosition(secret: Buffer, place: LogPlace): string {
  const { token, within } = place
  const { _data: data, ...more } = token
  const written = BSON.serialize({
    data: isHex(data) ? Buffer.from(data, 'hex') : data,
    ...(Object.keys(more).length > 0 && { more }),
    ...within
  })
  const padded = Buffer.alloc(Math.ceil(written.length / blockLength) * blockLength)
  padded.set(written)
  const iv = randomBytes(ivLength)
  const encryption = createCipheriv(cipher, secret, iv)
  const text = Buffer.concat([encryption.update(padded), encryption.final()])
  return Buffer.concat([iv, encryption.getAuthTag(), text]).toString('base64url')
}

/** Decodes a position; undefined for a string that was not made with this secret. */
export function readPosition(secret: Buffer, position: string): LogPlace | undefined {
  const bytes = Buffer.from(position, 'base64url')
  const plain = decrypt(secret, bytes)
  if (plain === undefined) return undefined
  const { data, more, passed, time } = BSON.deserialize(plain.subarray(0, plain.readInt32LE(0)))
  const token = readToken({ ...Object(more), _data: textOf(data) })
  if (token === undefined) return undefined
  return time instanceof Timestamp ? { token, within: { passed: Number(passed), time } } : { token }
}

/** Undefined for what was not encrypted with the secret. */
function decrypt(secret: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < ivLength + tagLength + blockLength) return undefined
  const decryption = createDecipheriv(cipher, secret, bytes.subarray(0, ivLength))
  decryption.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  try {
    return Buffer.concat([decryption.update(bytes.subarray(ivLength + tagLength)), decryption.final()])
  } catch {
    // What OpenSSL finds fault with is that the tag is another one.
    return undefined
  }
}

/** The secret of positions, 32 bytes: the first process makes it. */
async function sharedSecret(session: MongoSession): Promise<Buffer> {
  const made = { $setOnInsert: { secret: randomBytes(32).toString('hex') } }
  try {
    const found = await session.outside({}, () =>
      session
        .collection(logCollection)
        .findOneAndUpdate(key, made, { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } })
    )
    return Buffer.from(String(found?.['secret']), 'hex')
  } catch (error) {
    // Another process made it at the same time.
    if (error instanceof DuplicateKey) return sharedSecret(session)
    throw error
  }
}
