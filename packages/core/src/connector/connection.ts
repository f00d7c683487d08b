import type { Connector } from '../contract/connector.ts'
import type {
  Connection,
  ConnectionErrorListener,
  ConnectionListener,
  ConnectionState
} from '../contract/data-source.ts'
import type { Static, TSchema } from '@sinclair/typebox'
import { problemOf, InvalidOption, fillDefaults, type WithDefaults } from '@modelwire/server'

/** An attempt to open or close, which several callers may wait for. */
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

  /** The reason why opening or closing failed; undefined in every state but `failed`. */
  get error(): unknown {
    return this.#error
  }

  /** Calls `listener` for every change of the state. */
  listen(listener: ConnectionListener): void {
    this.#listeners.add(listener)
  }

  /** Calls `listener` with errors outside of calls. */
  listenToErrors(listener: ConnectionErrorListener): void {
    this.#errorListeners.add(listener)
  }

  /**
   * Opens it unless it is open or opening: every caller waits for the same attempt. A failed attempt is repeated, and one
   * that is closing is closed first.
   */
  open(): Promise<void> {
    if (this.#opening !== undefined) return this.#opening.done
    const attempt: Attempt = { done: Promise.resolve() }
    this.#opening = attempt
    attempt.done = this.#open(attempt)
    return attempt.done
  }

  /** Closes it, once any attempt to open it has ended. Opening it again creates a new connection. */
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

  /** Follows disconnections and reconnections of the database. */
  #follow(from: ConnectionState, to: ConnectionState): void {
    if (this.#state === from && this.#opening !== undefined) this.#reach(to)
  }

  #reach(state: ConnectionState, error?: unknown): void {
    this.#state = state
    this.#error = error
    for (const listener of this.#listeners) listener(this)
  }
}

/**
 * Validates the settings of a data source against `schema`, and adds defaults. Null counts as absent, as in LoopBack.
 * @param connector its name, for the error
 * @throws {InvalidOption} a setting has the wrong type
 */
export function readSettings<Schema extends TSchema>(
  schema: Schema,
  settings: Readonly<Record<string, unknown>>,
  connector: string
): WithDefaults<Schema> {
  const present = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined)
  )
  const problem = problemOf(schema, present)
  // They have just been checked.
  if (problem === undefined) return fillDefaults(schema, present as Static<Schema>)
  const { key, text } = problem
  throw new InvalidOption(`the ${connector} connector's ${key}: ${text}`, { key })
}
