import type { Connector } from '../contract/connector.ts'
import type {
  Connection,
  ConnectionErrorListener,
  ConnectionListener,
  ConnectionState
} from '../contract/data-source.ts'

/** Opening or closing, which several may wait for. */
interface Attempt {
  done: Promise<void>
}

/** Opens and closes a connector once, however many callers request it. */
export class SharedConnection implements Connection {
  readonly #connector: Connector
  readonly #listeners = new Set<ConnectionListener>()
  readonly #errorListeners = new Set<ConnectionErrorListener>()
  #opening: Attempt | undefined
  #closing: Attempt | undefined
  #state: ConnectionState = 'closed'
  #error: unknown

  constructor(connector: Connector) {
    this.#connector = connector
    connector.watch?.({
      error: (error) => {
        for (const listener of this.#errorListeners) listener(error)
      },
      lost: () => this.#follow('open', 'closed'),
      restored: () => this.#follow('closed', 'open')
    })
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Why it could not be opened, or closed; undefined in every state but `failed`. */
  get error(): unknown {
    return this.#error
  }

  /** Calls `listener` for every change of the state. */
  listen(listener: ConnectionListener): void {
    this.#listeners.add(listener)
  }

  /** Calls `listener` with errors that belong to no call. */
  listenToErrors(listener: ConnectionErrorListener): void {
    this.#errorListeners.add(listener)
  }

  /**
   * Opens it unless it is open or being opened: every caller waits for the same attempt. One that failed is made again, and one that is
   * being closed is closed first.
   */
  open(): Promise<void> {
    if (this.#opening !== undefined) return this.#opening.done
    const attempt: Attempt = { done: Promise.resolve() }
    this.#opening = attempt
    attempt.done = this.#open(attempt)
    return attempt.done
  }

  /** Closes it, once an attempt to open it has ended. What is opened afterwards is a new connection. */
  close(): Promise<void> {
    const opening = this.#opening
    if (this.#closing !== undefined && opening === undefined) return this.#closing.done
    const attempt: Attempt = { done: Promise.resolve() }
    const before = [this.#closing, opening].flatMap((each) => (each === undefined ? [] : [each.done]))
    this.#opening = undefined
    this.#closing = attempt
    attempt.done = this.#close(attempt, before)
    return attempt.done
  }

  async #open(attempt: Attempt): Promise<void> {
    // Whether the last one could be closed is reported to its caller.
    if (this.#closing !== undefined) await Promise.allSettled([this.#closing.done])
    this.#reach('opening')
    try {
      await this.#connector.connect()
    } catch (error) {
      if (this.#opening === attempt) this.#opening = undefined
      this.#reach('failed', error)
      throw error
    }
    this.#reach('open')
  }

  async #close(attempt: Attempt, before: readonly Promise<void>[]): Promise<void> {
    await Promise.allSettled(before)
    try {
      await this.#connector.disconnect()
      this.#reach('closed')
    } catch (error) {
      this.#reach('failed', error)
      throw error
    } finally {
      if (this.#closing === attempt) this.#closing = undefined
    }
  }

  /** The database went away, or is back, by itself. */
  #follow(from: ConnectionState, to: ConnectionState): void {
    if (this.#state === from && this.#opening !== undefined) this.#reach(to)
  }

  #reach(state: ConnectionState, error?: unknown): void {
    this.#state = state
    this.#error = error
    for (const listener of this.#listeners) listener(this)
  }
}
