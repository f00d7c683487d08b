/** Whether a transport can be used; says so once each time that it changes. */
export class TransportHealth {
  readonly #onState: (error: unknown) => void
  /** Why it cannot be used, in an object of its own: whatever was thrown. */
  #failure: { readonly error: unknown } | undefined

  /** @param onState called with an error when it fails, and with undefined when it works again */
  constructor(onState: (error: unknown) => void) {
    this.#onState = onState
  }

  get isDown(): boolean {
    return this.#failure !== undefined
  }

  /** Rejects with the error while the transport cannot be used. */
  async check(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  failed(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#onState(error)
  }

  works(): void {
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#onState(undefined)
  }
}
