/** Whether a transport can be used; says so once each time that it changes. */
export class TransportHealth {
  readonly #onState: (error: unknown) => void
  #isDown = false

  /** @param onState called with an error when it fails, and with undefined when it works again */
  constructor(onState: (error: unknown) => void) {
    this.#onState = onState
  }

  get isDown(): boolean {
    return this.#isDown
  }

  failed(error: unknown): void {
    if (this.#isDown) return
    this.#isDown = true
    this.#onState(error)
  }

  works(): void {
    if (!this.#isDown) return
    this.#isDown = false
    this.#onState(undefined)
  }
}
