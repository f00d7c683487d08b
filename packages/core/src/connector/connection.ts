import type { Connector } from './connector.ts'

/** How far a data source is with its database. */
export type ConnectionState = 'closed' | 'opening' | 'open' | 'failed'

/** Hears of a state once it is reached. */
export type ConnectionListener = (connection: Connection) => void

/** The one connection of a data source, which is opened once until it is closed. */
export class Connection {
  readonly #connector: Connector
  readonly #listeners = new Set<ConnectionListener>()
  #opening: Promise<void> | undefined
  #state: ConnectionState = 'closed'
  #error: unknown

  constructor(connector: Connector) {
    this.#connector = connector
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Why it could not be opened. */
  get error(): unknown {
    return this.#error
  }

  /** Lets `listener` hear of every change of the state. */
  listen(listener: ConnectionListener): void {
    this.#listeners.add(listener)
  }

  /** Opens it unless it is open or being opened: every caller waits for the same attempt. */
  open(): Promise<void> {
    return (this.#opening ??= this.#open())
  }

  /** Closes it. What is opened afterwards is a new connection. */
  async close(): Promise<void> {
    this.#opening = undefined
    await this.#connector.disconnect()
    this.#reach('closed')
  }

  async #open(): Promise<void> {
    this.#reach('opening')
    try {
      await this.#connector.connect()
    } catch (error) {
      this.#error = error
      this.#reach('failed')
      throw error
    }
    this.#reach('open')
  }

  #reach(state: ConnectionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener(this)
  }
}
