/** Waits that can be cut short, and keep no process alive. */
export class Alarm {
  #isRung = false
  #wake: (() => void) | undefined

  /** Ends the wait, or the next one. */
  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Resolves after some milliseconds, or when it rings. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isRung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds).unref()
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#wake = undefined
    this.#isRung = false
  }
}
