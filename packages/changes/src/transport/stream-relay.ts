import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectorChangeLog, LogOrder, ModelType } from '@modelwire/core/plugin'
import { ChangeTransportFailed } from '../errors.ts'
import { Alarm } from './alarm.ts'
import type { Candidate, ChangeStreamConnection } from './change-transport.ts'
import { modelsVersion } from './models-version.ts'
import { StreamFiller } from './stream-filler.ts'
import type { TransportHealth } from './transport-health.ts'

/** What a process fills a stream with. */
export interface RelayParts {
  readonly source: Pick<ConnectorChangeLog, 'latest' | 'read' | 'listen'>
  readonly order: LogOrder
  readonly models: readonly ModelType[]
  readonly stream: ChangeStreamConnection
  readonly health: TransportHealth
  /** Milliseconds between two looks at the log. */
  readonly pollInterval: number
  /** Called with the first error in a row of them that is not the transport's, and with undefined when it works again. */
  readonly onState: (error: unknown) => void
}

/** A process as a reader of a stream, and as one that may fill it. */
export interface Self extends Candidate {
  /** The identity of the log. */
  readonly log: string
}

/** Milliseconds until it is tried again where the server does not answer. */
const retryPause = 250
/** Milliseconds between two looks at the log while changes come one after the other. */
const breath = 20

/**
 * One process after the other fills the stream of a data source, as long as it holds the lease. It renews the lease between two pages
 * of the log and not by a timer: a process that got stuck loses it.
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

  /** Undefined until the log has said which one it is, and while no process that knows the same models fills the stream. */
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

  /** There may be something new in the log. */
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

  /** Fills the stream where this process gets the lease. */
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

  /** The lease is there still. */
  async #keeps(self: Self): Promise<boolean> {
    return performance.now() - this.#takenAt < this.#parts.stream.leaseTime / 3 || this.#take(self)
  }

  /** Where the database does not notify, it is looked at once in a while. */
  async #listen(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#parts.source.listen?.(() => this.touch())
    } catch {
      return undefined
    }
  }

  /** Milliseconds to wait where it failed: another process gets the lease where it is this one that has no database. */
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
