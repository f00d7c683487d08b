import {
  type Appending,
  type Candidate,
  type ChangeStreamConnection,
  ChangeTransportFailed,
  type Lease,
  type StreamEntry,
  type StreamListener,
  type StreamTail
} from '@modelwire/changes'
import type { LogPlace } from '@modelwire/core/plugin'
import { JetStreamApiCodes, JetStreamApiError, type PubAck } from '@nats-io/jetstream'
import { findSequence } from './find-sequence.ts'
import { type OpenStream, StreamOpener, type StreamNames } from './nats-connection.ts'
import { giveLeaseBack, takeLease } from './nats-lease.ts'
import { headerBytes, headersOf, readEntry, tokenOf } from './nats-entries.ts'
import { failureOf, isConflict } from './nats-errors.ts'
import type { FilledSettings } from './settings.ts'

/** Messages that are asked for at once. */
const readAtOnce = 100
/** Places whose sequences are remembered: those at which readers go on. */
const rememberedPlaces = 64

/** The stream of one data source. */
export class NatsStream implements ChangeStreamConnection {
  readonly leaseTime: number
  readonly #names: StreamNames
  readonly #opener: StreamOpener
  readonly #sequences = new Map<string, number>()
  #listener: StreamListener | undefined
  /** The connection that the client is trying to get back. */
  #disconnected: OpenStream['connection'] | undefined

  constructor(settings: FilledSettings, dataSource: string) {
    this.leaseTime = settings.leaseTime
    const [name, token] = [settings.name, tokenOf(dataSource)]
    this.#names = { stream: `${name}-${token}`, subject: `${name}.${token}` }
    this.#opener = new StreamOpener(settings, this.#names, (open) => this.#subscribe(open))
  }

  async maxBytes(): Promise<number> {
    return this.#on(async ({ connection }) => (connection.info?.max_payload ?? 1_048_576) - headerBytes)
  }

  async lease(candidate: Candidate): Promise<Lease> {
    return this.#on(async ({ leases }) => {
      try {
        return await takeLease(leases, candidate)
      } catch (error) {
        // Another process was faster.
        if (isConflict(error)) return takeLease(leases, candidate)
        throw error
      }
    })
  }

  async release(candidate: Candidate): Promise<void> {
    await this.#on(async ({ leases }) => giveLeaseBack(leases, candidate))
  }

  async tail(): Promise<StreamTail> {
    return this.#on(async (open) => {
      const { state } = await open.jsm.streams.info(this.#names.stream)
      const mark = String(state.last_seq)
      return { entry: state.messages === 0 ? undefined : await this.#entryAt(open, state.last_seq), mark }
    })
  }

  async append(entries: readonly StreamEntry[], { mark, clears }: Appending): Promise<string | undefined> {
    return this.#on(async ({ js, jsm, connection }) => {
      if (clears) await jsm.streams.purge(this.#names.stream)
      // Each waits for its place in the stream, and not for the answer to the one before.
      const answers = await Promise.allSettled(
        entries.map((entry, index) => this.#publish(js, entry, Number(mark) + index))
      )
      const failed = answers.find((answer) => answer.status === 'rejected')
      if (failed !== undefined && !isConflict(failed.reason)) throw failed.reason
      connection.publish(`${this.#names.subject}.appended`)
      return failed === undefined ? String(Number(mark) + entries.length) : undefined
    })
  }

  async read(after: LogPlace, limit: number): Promise<readonly StreamEntry[]> {
    return this.#on(async (open) => {
      const from = this.#sequences.get(String(after)) ?? (await this.#find(open, after))
      const { stream, subject } = this.#names
      const first = await open.jsm.direct.getMessage(stream, { seq: from, next_by_subj: `${subject}.changes.>` })
      if (first === null) return this.#remember(after, from, [])
      const entries = [readEntry(first)]
      while (entries.length < limit) {
        const length = Math.min(readAtOnce, limit - entries.length)
        const next = await this.#entriesFrom(open, first.seq + entries.length, length)
        entries.push(...next)
        if (next.length < length) break
      }
      return this.#remember(after, first.seq, entries)
    })
  }

  listen(listener: StreamListener): void {
    this.#listener = listener
  }

  announce(): void {
    const publish = this.#on(async ({ connection }) => connection.publish(`${this.#names.subject}.announced`))
    // The process that fills the stream looks by itself once in a while.
    void Promise.allSettled([publish])
  }

  async close(): Promise<void> {
    await this.#opener.close()
  }

  /** @throws {ChangeTransportFailed} */
  async #on<Result>(work: (open: OpenStream) => Promise<Result>): Promise<Result> {
    const open = await this.#opener.get()
    // What is asked now would wait for its timeout.
    if (open.connection === this.#disconnected) throw new ChangeTransportFailed('NATS: the connection is lost')
    try {
      return await work(open)
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) {
        this.#sequences.clear()
        await this.#opener.reset()
      }
      throw failureOf(error)
    }
  }

  #publish(js: OpenStream['js'], entry: StreamEntry, lastSequence: number): Promise<PubAck> {
    const subject = `${this.#names.subject}.changes.${tokenOf(entry.texts.model)}`
    const { row = '' } = entry
    return js.publish(subject, row, { headers: headersOf(entry), expect: { lastSequence } })
  }

  async #entryAt({ jsm }: OpenStream, seq: number): Promise<StreamEntry | undefined> {
    const message = await jsm.direct.getMessage(this.#names.stream, { seq })
    return message === null ? undefined : readEntry(message)
  }

  /** The entries from a sequence on, up to the first one that is not there. */
  async #entriesFrom(open: OpenStream, sequence: number, length: number): Promise<readonly StreamEntry[]> {
    const found = await Promise.all(Array.from({ length }, (_, index) => this.#entryAt(open, sequence + index)))
    const end = found.indexOf(undefined)
    return found.slice(0, end === -1 ? length : end).flatMap((entry) => entry ?? [])
  }

  async #find(open: OpenStream, after: LogPlace): Promise<number> {
    const { state } = await open.jsm.streams.info(this.#names.stream)
    const placeOf = async (sequence: number): Promise<LogPlace | undefined> =>
      (await this.#entryAt(open, sequence))?.place
    // The first message has 1.
    return findSequence({ first: Math.max(1, state.first_seq), last: state.last_seq, placeOf }, after)
  }

  /** Remembers where a reader goes on that has read these. */
  #remember(after: LogPlace, sequence: number, entries: readonly StreamEntry[]): readonly StreamEntry[] {
    const last = entries.at(-1)?.place ?? after
    this.#sequences.delete(String(last))
    this.#sequences.set(String(last), sequence + entries.length)
    const [oldest] = this.#sequences.keys()
    if (this.#sequences.size > rememberedPlaces && oldest !== undefined) this.#sequences.delete(oldest)
    return entries
  }

  #subscribe({ connection }: OpenStream): void {
    const { subject } = this.#names
    connection.subscribe(`${subject}.appended`, { callback: () => this.#listener?.appended() })
    connection.subscribe(`${subject}.announced`, { callback: () => this.#listener?.announced() })
    void this.#watch(connection)
  }

  /** What was said while there was no connection was missed. */
  async #watch(connection: OpenStream['connection']): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.#disconnected = connection
      if (type === 'reconnect') this.#disconnected = undefined
      if (type === 'reconnect') this.#listener?.appended()
    }
  }
}
