import { StatementTimeout } from '@modelwire/core/connector'
import type { ChangeStream, ChangeStreamDocument } from 'mongodb'
import type { PlacedEntry } from './log-entries.ts'
import { compareTokens, type LogPlace, type LogToken, readToken } from './log-places.ts'
import type { StreamStart } from './watch-models.ts'

/** The dependencies of a stream of entries. */
export interface LogStreamParts {
  /** The place after which it starts. */
  readonly place: LogPlace
  readonly open: (start: StreamStart) => ChangeStream
  readonly entriesOf: (event: ChangeStreamDocument) => readonly PlacedEntry[]
}

/** Milliseconds that a router may take to report what another stream of it has reported. */
const patience = 30_000

/** Where a stream begins that goes on behind a place: at the time of its change, where some entries of that are still to come. */
const startOf = ({ token, within }: LogPlace): StreamStart =>
  within === undefined ? { startAfter: token } : { startAtOperationTime: within.time }

/** Reads entries after a place, page by page. */
export class LogStream {
  readonly #parts: LogStreamParts
  readonly #first: LogPlace
  #stream: ChangeStream
  /** Entries of the last change that did not fit on the previous page. */
  #rest: readonly PlacedEntry[] = []
  #isBroken = false
  /** The place after which the next page starts. */
  place: LogPlace

  constructor(parts: LogStreamParts) {
    this.#parts = parts
    this.#first = parts.place
    this.place = parts.place
    this.#stream = parts.open(startOf(parts.place))
  }

  /** Whether it can be read from. */
  get isOpen(): boolean {
    return !this.#isBroken && !this.#stream.closed
  }

  /** The server has processed everything up to this; undefined before the first response. */
  get seen(): LogToken | undefined {
    return readToken(this.#stream.resumeToken)
  }

  /**
   * The next entries; none if there are none up to now. If reading fails after some entries, the next stream, which starts
   * there, reports the error.
   * @param known a change that was reported elsewhere: the server must have read up to it before none are reported
   */
  async page(limit: number, known: LogToken | undefined): Promise<readonly PlacedEntry[]> {
    const entries: PlacedEntry[] = []
    try {
      await this.#fill(entries, limit, known)
    } catch (error) {
      this.#isBroken = true
      if (entries.length === 0) throw error
    }
    this.place = entries.at(-1)?.place ?? this.place
    return entries
  }

  async close(): Promise<void> {
    await this.#stream.close()
  }

  async #fill(entries: PlacedEntry[], limit: number, known: LogToken | undefined): Promise<void> {
    const end = Date.now() + patience
    for (;;) {
      const next = this.#rest.slice(0, limit - entries.length)
      this.#rest = this.#rest.slice(next.length)
      entries.push(...next)
      if (entries.length >= limit || (entries.length > 0 && this.#stream.bufferedCount() === 0)) return
      const event = await this.#stream.tryNext()
      if (event !== null) await this.#take(event)
      else if (entries.length > 0 || this.#hasSeen(known)) return
      else if (Date.now() > end) throw new StatementTimeout('the database did not report its changes in time')
    }
  }

  async #take(event: ChangeStreamDocument): Promise<void> {
    if (event.operationType === 'invalidate') {
      await this.#stream.close()
      this.#stream = this.#parts.open({ startAfter: event['_id'] })
      return
    }
    const { token, within } = this.#first
    const own = readToken(event['_id'])
    const order = own === undefined ? 0 : compareTokens(own, token)
    // A stream that begins at a time has what came before the place, too.
    if (within !== undefined && order < 0) return
    this.#rest = this.#parts.entriesOf(event).slice(order === 0 ? within?.passed : 0)
  }

  #hasSeen(known: LogToken | undefined): boolean {
    const { seen } = this
    return known === undefined || seen === undefined || compareTokens(seen, known) >= 0
  }
}
