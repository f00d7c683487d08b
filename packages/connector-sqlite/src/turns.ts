/** A fair lock: one holder at a time, in the order of requests. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Resolves when all earlier holders have ended; after `limit` milliseconds rejects, 0 for never. */
  async take(limit: number): Promise<void> {
    if (this.#isTaken) return this.#wait(limit)
    this.#isTaken = true
  }

  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }

  async #wait(limit: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1)
        reject(tookTooLong())
      }
      const timer = limit > 0 ? setTimeout(giveUp, limit) : undefined
      const take = (): void => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push(take)
    })
  }
}

/** Like an error of SQLite, so that it is translated as one. */
function tookTooLong(): Error {
  return Object.assign(new Error('a transaction of this process took too long'), { code: 'SQLITE_NO_TURN' })
}
