import { EventEmitter, once } from 'node:events'
import { CommandFailed } from './command-failed.ts'
import { type Answer, type Command, type Congo, partOf, type StoredDocument } from './load-congo.ts'

/** A change of a document of the server. */
export interface StoredChange {
  readonly collection: string
  readonly operation: 'insert' | 'update' | 'delete'
  readonly id: unknown
  readonly before?: StoredDocument | undefined
  readonly after?: StoredDocument | undefined
  /** The document as it is now. */
  readonly lookUp: () => StoredDocument | undefined
  /** The collection keeps its documents as they were. */
  readonly hasImages: boolean
}

interface Recorded {
  readonly database: string
  readonly token: string
  /** Undefined where the database was dropped. */
  readonly change: StoredChange | undefined
  readonly event: StoredDocument
}

interface OpenStream {
  readonly database: string
  readonly stages: readonly object[]
  readonly stage: Readonly<Record<string, unknown>>
  token: string
}

/** Above the numbers of other cursors. */
const firstCursor = 1_000_000

/**
 * The changes of a server that calls itself a replica set, and its change streams of databases. Tokens are in the order of the changes,
 * as MongoDB's are: one between two changes has their time alone.
 * @see https://github.com/mongodb/specifications/blob/master/source/change-streams/change-streams.md
 */
export class ChangeHistory {
  readonly #congo: Congo
  readonly #recorded = new EventEmitter().setMaxListeners(0)
  readonly #streams = new Map<number, OpenStream>()
  #changes: Recorded[] = []
  #time = { seconds: 0, count: 0 }
  /** Changes up to this token are removed. */
  #forgotten = ''
  #lastCursor = firstCursor

  constructor(congo: Congo) {
    this.#congo = congo
    this.#tick()
  }

  record(database: string, change: StoredChange): void {
    const { operation: operationType, collection: coll, id, after, before, hasImages } = change
    this.#add(database, change, {
      operationType,
      ns: { db: database, coll },
      documentKey: { _id: id },
      ...(operationType === 'update' && { updateDescription: { updatedFields: {}, removedFields: [] } }),
      ...(operationType !== 'delete' && { fullDocument: after }),
      ...(operationType !== 'insert' && { fullDocumentBeforeChange: hasImages ? before : null })
    })
  }

  /** The database is dropped: its streams end. */
  drop(database: string): void {
    this.#add(database, undefined, { operationType: 'invalidate' })
  }

  /** Removes all changes so far, as the server does when its log is full. */
  forget(): void {
    this.#changes = []
    this.#forgotten = this.#now()
  }

  /** Removes the documents as they were, which are kept apart from the changes. */
  forgetImages(): void {
    for (const { change, event } of this.#changes) {
      if (event['fullDocumentBeforeChange'] !== undefined) event['fullDocumentBeforeChange'] = null
      if (change?.operation === 'update') event['fullDocument'] = null
    }
  }

  /** The answer to a command of a change stream; undefined for other commands. */
  answer({ command, database }: Command): Promise<Answer> | Answer | undefined {
    // By the protocol, a pipeline is a list of stages.
    const [first, ...stages] = (command['pipeline'] as readonly object[] | undefined) ?? []
    const { $changeStream: stage } = partOf(first)
    if (stage !== undefined) return this.#open(database, partOf(stage), stages)
    const cursor = Number(command['getMore'])
    const stream = this.#streams.get(cursor)
    if (stream !== undefined) return this.#more(cursor, stream, command)
    if (cursor > firstCursor) throw new CommandFailed(`cursor id ${cursor} not found`, 43, 'CursorNotFound')
    // By the protocol, there is a list of numbers.
    for (const id of (command['cursors'] as readonly unknown[] | undefined) ?? []) this.#streams.delete(Number(id))
    return undefined
  }

  #add(database: string, change: StoredChange | undefined, facts: StoredDocument): void {
    this.#tick()
    const key = Buffer.from(this.#congo.bson.serialize({ id: change?.id }))
      .toString('hex')
      .toUpperCase()
    const token = `${this.#timeText()}2B042C0100296E${key}`
    const clusterTime = this.#congo.bson.Timestamp.fromBits(this.#time.count, this.#time.seconds)
    const event = { _id: { _data: token }, clusterTime, wallTime: new Date(), ...facts }
    this.#changes.push({ database, token, change, event: this.#copy(event) })
    this.#recorded.emit('change')
  }

  #open(database: string, stage: OpenStream['stage'], stages: readonly object[]): Answer {
    const { startAfter, resumeAfter, startAtOperationTime } = stage
    const given = partOf(startAfter ?? resumeAfter)['_data']
    const token = startAtOperationTime === undefined ? given : textOfTime(startAtOperationTime)
    if (given !== undefined) this.#check(String(given), startAfter !== undefined)
    if (token !== undefined && String(token) < this.#forgotten)
      throw new CommandFailed('Resume of change stream was not possible', 286, 'ChangeStreamHistoryLost')
    // A stream begins behind all changes so far.
    if (token === undefined) this.#tick()
    const stream = { database, stage, stages, token: String(token ?? this.#now()) }
    const cursor = ++this.#lastCursor
    this.#streams.set(cursor, stream)
    return this.#batch(cursor, stream, 'firstBatch', 101)
  }

  #check(token: string, mayBeInvalidate: boolean): void {
    if (!/^82[0-9A-F]+$/.test(token)) throw new CommandFailed('Bad resume token', 260, 'InvalidResumeToken')
    const isOfChange = token.includes('2B042C')
    const found = this.#changes.find((change) => change.token === token)
    if (isOfChange && found === undefined && token > this.#forgotten)
      throw new CommandFailed('the resume token was not found', 280, 'ChangeStreamFatalError')
    if (found !== undefined && found.change === undefined && !mayBeInvalidate)
      throw new CommandFailed('the resume token is of an invalidate', 260, 'InvalidResumeToken')
  }

  async #more(cursor: number, stream: OpenStream, { batchSize, maxTimeMS }: Command['command']): Promise<Answer> {
    const size = Number(batchSize ?? 1000)
    if (this.#next(stream).length === 0) await this.#untilRecorded(Number(maxTimeMS ?? 1000))
    return this.#batch(cursor, stream, 'nextBatch', size)
  }

  async #untilRecorded(milliseconds: number): Promise<void> {
    const signal = AbortSignal.timeout(milliseconds)
    await Promise.allSettled([once(this.#recorded, 'change', { signal })])
  }

  #next({ database, token }: OpenStream): readonly Recorded[] {
    return this.#changes.filter((each) => each.token > token && each.database === database)
  }

  #batch(cursor: number, stream: OpenStream, name: string, size: number): Answer {
    const next = this.#next(stream)
    const end = next.findIndex(({ change }) => change === undefined)
    const batch = next.slice(0, Math.min(size, end === -1 ? size : end + 1))
    const shown = batch.flatMap((each) => this.#shown(stream, each))
    const isOver = end !== -1 && end < size
    const tokens = [stream.token, ...shown.map(({ token }) => token)]
    const hasLookedAtAll = batch.length === next.length && !isOver
    tokens.push(hasLookedAtAll ? this.#now() : (batch.at(-1)?.token ?? ''))
    stream.token = tokens.toSorted().at(-1) ?? ''
    if (isOver) this.#streams.delete(cursor)
    const id = this.#congo.bson.Long.fromNumber(isOver ? 0 : cursor)
    const postBatchResumeToken = { _data: stream.token }
    return {
      ok: 1,
      cursor: {
        id,
        ns: `${stream.database}.$cmd.aggregate`,
        [name]: shown.map(({ event }) => event),
        postBatchResumeToken
      }
    }
  }

  /** An event as the stages of a stream leave it. */
  #shown(
    { stage, stages }: OpenStream,
    { token, event, change }: Recorded
  ): { token: string; event: StoredDocument }[] {
    const { fullDocument: mode, fullDocumentBeforeChange: beforeMode } = stage
    const isUpdate = change?.operation === 'update'
    const kept = { ...event }
    if (beforeMode === undefined) delete kept['fullDocumentBeforeChange']
    if (isUpdate && mode === undefined) delete kept['fullDocument']
    if (isUpdate && mode === 'updateLookup') kept['fullDocument'] = change.lookUp() ?? null
    if (isUpdate && mode === 'whenAvailable' && !change.hasImages) kept['fullDocument'] = null
    const left = new this.#congo.mingo.Aggregator(stages, {}).run([this.#copy(kept)])
    return left.map((each) => ({ token, event: each }))
  }

  #copy(document: StoredDocument): StoredDocument {
    return this.#congo.bson.deserialize(this.#congo.bson.serialize(document))
  }

  #tick(): void {
    const seconds = Math.max(Math.floor(Date.now() / 1000), this.#time.seconds)
    this.#time = { seconds, count: seconds === this.#time.seconds ? this.#time.count + 1 : 1 }
  }

  #timeText(): string {
    return textOf(this.#time.seconds, this.#time.count)
  }

  /** The token of the present time: it is behind all changes but the last one. */
  #now(): string {
    return `${this.#timeText()}2B0429296E04`
  }
}

const digits = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')
const textOf = (seconds: number, count: number): string => `82${digits(seconds)}${digits(count)}`

function textOfTime(time: unknown): string {
  // Drivers send a timestamp.
  const { t, i } = time as { readonly t: number; readonly i: number }
  return textOf(t, i)
}
