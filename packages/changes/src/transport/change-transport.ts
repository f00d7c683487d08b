import type { LogPlace } from '@modelwire/core/plugin'

/** What an entry of a stream says, as texts that other systems can read. */
export interface StreamTexts {
  /** The log of a database that the change is in. */
  readonly log: string
  /** The version of the models that the row was read by: other models read other properties. */
  readonly version: string
  readonly position: string
  /** The place before the entry: the log has no change between the two. */
  readonly previous: string
  /** `start` is no change: the stream begins there, and the log goes further back. */
  readonly kind: string
  readonly model: string
  /** When the change was made, in ISO 8601. */
  readonly at: string
}

/** An entry of a stream of changes. */
export interface StreamEntry {
  readonly place: LogPlace
  readonly texts: StreamTexts
  /** JSON as `encodeRow` writes it; undefined where there is no row, or where it is too large for the stream. */
  readonly row: string | undefined
}

/** A process that wants to fill a stream. */
export interface Candidate {
  /** Different for each process and start. */
  readonly token: string
  /** The version of its models. */
  readonly version: string
}

/** Who fills a stream at present. */
export interface Lease {
  /** It is the candidate that asks. */
  readonly isMine: boolean
  /** The version of the models of the process that does. */
  readonly version: string
}

/** The end of a stream. */
export interface StreamTail {
  /** The last entry; undefined where there is none. */
  readonly entry: StreamEntry | undefined
  /** Other than it was once something was appended. */
  readonly mark: string
}

/** On what condition, and how, entries are appended. */
export interface Appending {
  readonly candidate: Candidate
  /** The end of the stream has to be there still. */
  readonly mark: string
  /** Removes what was in the stream before. */
  readonly clears: boolean
}

/** What a stream reports. */
export interface StreamListener {
  /** There may be new entries. */
  readonly appended: () => void
  /** A process has committed changes. */
  readonly announced: () => void
}

/**
 * The stream of the changes of one data source. Each method rejects in bounded time where the server does not answer.
 * @throws {ChangeTransportFailed} the server cannot be reached, or refuses
 */
export interface ChangeStreamConnection {
  /** Milliseconds after which a lease that was not taken again runs out. */
  readonly leaseTime: number
  /** Bytes that an entry may have. */
  maxBytes(): Promise<number>
  /** Takes the lease where it is free, renews it where it is the candidate's, and gives it as it is. */
  lease(candidate: Candidate): Promise<Lease>
  /** Gives the lease back. */
  release(candidate: Candidate): Promise<void>
  tail(): Promise<StreamTail>
  /** Appends entries in their order; gives the new mark, or undefined where the stream has another end, or the lease another holder. */
  append(entries: readonly StreamEntry[], appending: Appending): Promise<string | undefined>
  /** The first entries behind a place. */
  read(after: LogPlace, limit: number): Promise<readonly StreamEntry[]>
  /** Hears of appended entries and of announcements; it may miss some. */
  listen(listener: StreamListener): void
  /** Says to the process that fills the stream that there are new changes in the log. Never throws. */
  announce(): void
  close(): Promise<void>
}

/** Carries the changes that one process reads from a database's log to all processes. */
export interface ChangeTransport {
  /** For messages. */
  readonly name: string
  /** Opens the stream of a data source. It does not wait for the server, which may come later. */
  open(dataSource: string): ChangeStreamConnection
}
