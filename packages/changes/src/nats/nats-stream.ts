import {
  type Appending,
  type Candidate,
  type ChangeStreamConnection,
  type Lease,
  type StreamEntry,
  type StreamListener,
  type StreamTail,
  readPlace,
  type StreamTexts,
  writePlace,
  type ChangeTransport
} from '../transport/change-transport.ts'
import { ChangeTransportFailed } from '../errors.ts'
import type { LogPlace } from '@modelwire/core/plugin'
import { JetStreamApiCodes, JetStreamApiError, type PubAck, type StoredMsg } from '@nats-io/jetstream'
import { type OpenStream, StreamOpener, type StreamNames } from './nats-connection.ts'
import { failureOf, isConflict } from './nats-errors.ts'
import { type FilledSettings, type NatsJetStreamSettings, readSettings } from './settings.ts'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { KV } from '@nats-io/kv'

/** The key of the lease in its bucket, whose keys live as long as a lease. */
const key = 'holder'

const holderOf = ({ token, version }: Candidate): string => `${token} ${version}`

/** The header of each text; the message itself is the row. */
const headerNames = {
  log: 'Modelwire-Log',
  version: 'Modelwire-Version',
  position: 'Modelwire-Position',
  previous: 'Modelwire-Previous',
  kind: 'Modelwire-Kind',
  model: 'Modelwire-Model',
  at: 'Modelwire-At'
} as const satisfies Record<keyof StreamTexts, string>

const placeHeader = 'Modelwire-Place'

/** Bytes of headers besides those of names. */
const headerBytes = 1024

/** A name as a part of a subject, or of the name of a stream. */
const tokenOf = (name: string): string => name.replaceAll(/[^\w-]/g, '_') || '_'

/** A stream whose places increase with its sequence numbers. */
interface Searched {
  readonly first: number
  readonly last: number
  /** The place of a message; undefined if it has none. */
  readonly placeOf: (sequence: number) => Promise<LogPlace | undefined>
}

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
  /** The connection that the client is trying to re-establish. */
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
    if (open.connection === this.#disconnected) throw new ChangeTransportFailed('the connection to NATS was lost')
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

  /** The entries from a sequence number on, up to the first missing one. */
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

  /** Remembers where a reader of these entries continues. */
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

  /** Watches a connection: messages sent while it was down were missed. */
  async #watch(connection: OpenStream['connection']): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.#disconnected = connection
      if (type === 'reconnect') this.#disconnected = undefined
      if (type === 'reconnect') this.#listener?.appended()
    }
  }
}

/** The sequence of the first message behind a place; that behind the last one where there is none. */
async function findSequence({ first, last, placeOf }: Searched, after: LogPlace): Promise<number> {
  let [low, high] = [first, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const place = await placeOf(middle)
    const isBehind = place !== undefined && (place[0] - after[0] || place[1] - after[1]) > 0
    if (isBehind) high = middle
    else low = middle + 1
  }
  return low
}

/** The headers of an entry. Names of models are written so that headers can hold them. */
function headersOf({ place, texts }: StreamEntry): MsgHdrs {
  const made = headers()
  made.set(placeHeader, writePlace(place))
  for (const [text, name] of Object.entries(headerNames))
    made.set(name, encodeURIComponent(texts[text as keyof StreamTexts])) // as it stands in the table
  return made
}

/** The entry of a message. */
function readEntry(message: StoredMsg): StreamEntry {
  const { header, data } = message
  const text = (name: string): string => decodeURIComponent(header.get(name))
  return {
    place: readPlace(header.get(placeHeader)) ?? [0, 0],
    texts: {
      log: text(headerNames.log),
      version: text(headerNames.version),
      position: text(headerNames.position),
      previous: text(headerNames.previous),
      kind: text(headerNames.kind),
      model: text(headerNames.model),
      at: text(headerNames.at)
    },
    row: data.length === 0 ? undefined : message.string()
  }
}

/** Takes or renews a lease, and gives it as it is. Fails as a conflict where another process takes it at the same time. */
async function takeLease(leases: KV, candidate: Candidate): Promise<Lease> {
  const own = holderOf(candidate)
  const found = await leases.get(key)
  const holder = found?.operation === 'PUT' ? found.string() : own
  if (holder !== own) return { isMine: false, version: holder.split(' ')[1] ?? '' }
  await leases.put(key, own, { previousSeq: found?.revision ?? 0 })
  return { isMine: true, version: candidate.version }
}

/** Ends a lease that is the candidate's. */
async function giveLeaseBack(leases: KV, candidate: Candidate): Promise<void> {
  const found = await leases.get(key)
  if (found?.operation === 'PUT' && found.string() === holderOf(candidate))
    await leases.delete(key, { previousSeq: found.revision })
}

/**
 * Makes a transport that carries changes with one NATS JetStream stream per data source.
 * @throws {InvalidOption} a setting is malformed
 */
export function natsJetStream(settings: NatsJetStreamSettings = {}): ChangeTransport {
  const filled = readSettings(settings)
  return { name: 'NATS JetStream', open: (dataSource) => new NatsStream(filled, dataSource) }
}
