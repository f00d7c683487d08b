import { NotImplemented } from '@modelwire/core'
import { type ConnectorChangeLog, type LoggedChange, LogPositionUnknown } from '@modelwire/core/plugin'
import { ChangeLogNotMigrated } from './errors.ts'

/** What a follower reads, and what it does with it. */
export interface Following {
  readonly source: Pick<ConnectorChangeLog, 'isKept' | 'unprepared' | 'latest' | 'listen'>
  /** The changes behind a position. */
  readonly read: (after: string, limit: number) => Promise<readonly LoggedChange[]>
  readonly deliver: (change: LoggedChange) => void
  /** Called with the first error of a row of them, and with undefined when it works again. */
  readonly onState: (error: unknown) => void
  /** Called once, where it turns out that there is no log to follow. */
  readonly onAbsent: () => void
  /** Milliseconds. */
  readonly pollInterval: number
}

/** Changes that are read at once. */
const pageSize = 1000
/** Milliseconds between two looks at the log while changes come one after the other. */
const breath = 50
/** Milliseconds until it is tried again where the database does not answer. */
const retryPause = 250

const noLog = 'the server can keep no log of changes'

/** Follows a log from its end on, in one process. */
export class LogFollower {
  readonly #following: Following
  readonly #wakeListeners = new Set<() => void>()
  readonly #gapListeners = new Set<() => void>()
  #position: string | undefined
  #error: Error | undefined
  #running: Promise<void> | undefined
  #isOver = false
  #isTouched = false
  #wake: (() => void) | undefined
  #whenSettled: (() => void)[] = []

  constructor(following: Following) {
    this.#following = following
  }

  start(): void {
    this.#isOver = false
    if (this.#endWithoutLog()) return
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.touch()
    await this.#running
    this.#running = undefined
    this.#position = undefined
  }

  /** There may be something new. */
  touch(): void {
    this.#isTouched = true
    this.#wake?.()
  }

  /** Calls `listener` after changes were delivered. */
  wake(listener: () => void): () => void {
    this.#wakeListeners.add(listener)
    return () => void this.#wakeListeners.delete(listener)
  }

  /** Calls `listener` when changes are gone from the log that were not delivered. */
  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener)
    return () => void this.#gapListeners.delete(listener)
  }

  /** The position of the last change that was delivered; empty where there is none. */
  get position(): string {
    return this.#position ?? ''
  }

  /** The same, once there is one. @throws the error that keeps it from following */
  async heard(): Promise<string> {
    while (this.#position === undefined && !this.#isOver) {
      if (this.#error !== undefined) throw this.#error
      await this.looked()
    }
    if (this.#error !== undefined) throw this.#error
    return this.#position ?? ''
  }

  /** Waits for the first look at the log, whether or not that works: changes after it are heard of. */
  async looked(): Promise<void> {
    if (this.#position !== undefined || this.#error !== undefined || this.#isOver) return
    await new Promise<void>((resolve) => this.#whenSettled.push(resolve))
  }

  async #run(): Promise<void> {
    const stopListening = await this.#listen()
    while (!this.#isOver) {
      this.#isTouched = false
      await this.#look()
      await this.#pause(this.#error === undefined ? breath : retryPause)
      if (!this.#isTouched && !this.#isOver) await this.#untilTouched()
    }
    await stopListening?.()
  }

  /** Without notifications, the log is looked at once in a while. */
  async #listen(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#following.source.listen?.(() => this.touch())
    } catch {
      // The look at the log meets the same database, and reports it.
      return undefined
    }
  }

  /** Delivers what is new. */
  async #look(): Promise<void> {
    try {
      this.#position ??= await this.#begin()
      while (!this.#isOver && (await this.#deliverPage(this.#position)));
      this.#settle(undefined)
    } catch (error) {
      if (error instanceof LogPositionUnknown) this.#skip()
      this.#settle(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Nobody can go on from there: what follows is heard of, what was missed is not. */
  #skip(): void {
    this.#position = undefined
    for (const listener of this.#gapListeners) listener()
  }

  /** @throws {ChangeLogNotMigrated} the database does not log the changes of a model */
  async #begin(): Promise<string> {
    const names = await this.#following.source.unprepared()
    if (this.#endWithoutLog()) throw new NotImplemented(noLog)
    if (names.length === 0) return this.#following.source.latest()
    throw new ChangeLogNotMigrated(`the database does not log the changes of ${names.join(', ')}: run its migrations`)
  }

  /** True where the server keeps no log, which turns out when it is connected: nothing is followed. */
  #endWithoutLog(): boolean {
    if (this.#following.source.isKept?.() !== false) return false
    this.#isOver = true
    this.#error = new NotImplemented(noLog)
    this.#following.onAbsent()
    return true
  }

  async #deliverPage(after: string): Promise<boolean> {
    const page = await this.#following.read(after, pageSize)
    for (const logged of page) {
      this.#position = logged.position
      this.#following.deliver(logged)
    }
    if (page.length > 0) for (const listener of this.#wakeListeners) listener()
    // What is committed meanwhile touches, or waits for the next look.
    return page.length === pageSize
  }

  #settle(error: Error | undefined): void {
    if ((error === undefined) !== (this.#error === undefined)) this.#following.onState(error)
    this.#error = error
    for (const resolve of this.#whenSettled.splice(0)) resolve()
  }

  /** What it waits for keeps no process alive. */
  async #pause(milliseconds: number): Promise<void> {
    if (!this.#isOver) await new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref())
  }

  async #untilTouched(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#following.pollInterval).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }
}
