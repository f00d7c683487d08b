import { NotImplemented } from '@modelwire/core'
import type { LoggedChange } from '@modelwire/core/plugin'
import { type ConnectorChangeLog, LogPositionUnknown } from '@modelwire/core/connector'
import { ChangeLogNotMigrated } from './errors.ts'

/** The inputs and callbacks of a follower. */
export interface Following {
  readonly source: Pick<ConnectorChangeLog, 'isKept' | 'unprepared' | 'latest' | 'listen'>
  /** Reads the changes after a position. */
  readonly read: (after: string, limit: number) => Promise<readonly LoggedChange[]>
  readonly deliver: (change: LoggedChange) => void
  /** Called with the first of several errors in a row, and with undefined when it works again. */
  readonly onState: (error: unknown) => void
  /** Called once if there is no log to follow. */
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

const noLog = 'the server cannot keep a change log'

/** Follows a log in one process, starting at its end. */
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

  /** Notifies that there may be new entries. */
  touch(): void {
    this.#isTouched = true
    this.#wake?.()
  }

  /** Calls `listener` after changes were delivered. */
  wake(listener: () => void): () => void {
    this.#wakeListeners.add(listener)
    return () => void this.#wakeListeners.delete(listener)
  }

  /** Calls `listener` when changes were removed from the log before they were delivered. */
  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener)
    return () => void this.#gapListeners.delete(listener)
  }

  /** The position of the last change that was delivered; empty where there is none. */
  get position(): string {
    return this.#position ?? ''
  }

  /**
   * The same, once there is one.
   * @throws the error that keeps it from following
   */
  async heard(): Promise<string> {
    while (this.#position === undefined && !this.#isOver) {
      if (this.#error !== undefined) throw this.#error
      await this.looked()
    }
    if (this.#error !== undefined) throw this.#error
    return this.#position ?? ''
  }

  /** Waits for the first read of the log, successful or not: later changes will be delivered. */
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

  /** Listens for notifications; without them, the log is polled. */
  async #listen(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#following.source.listen?.(() => this.touch())
    } catch {
      // The look at the log meets the same database, and reports it.
      return undefined
    }
  }

  /** Delivers new changes. */
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

  /** Skips to the end of the log: missed changes are lost, later ones are delivered. */
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

  /** True if the server, once connected, keeps no log: nothing is followed. */
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

  /** Waits without keeping the process alive. */
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
