import type { Pool, PoolClient } from 'pg'

/** Something that needs a connection. */
export interface ConnectionUse {
  /** `done` says that it was answered, with the error after which the connection is of no use. */
  readonly run: (client: PoolClient, done: (failure: Error | undefined) => void) => void
  /** No connection could be had. */
  readonly fail: (error: Error) => void
}

/** Milliseconds without an answer after which nobody is sent behind those that wait. */
const patience = 20

/** A connection of a pool from its first use to its last answer. */
class SharedConnection {
  readonly #waiting: ConnectionUse[] = []
  #client: PoolClient | undefined
  #unanswered = 0
  #lastAnswer = 0
  #isOver = false
  #release: (failure: Error | undefined) => void = () => {}

  constructor(pool: Pool, first: ConnectionUse) {
    this.#waiting.push(first)
    pool.connect((error, client, release) => {
      if (client === undefined) this.#failAll(error ?? new Error('the pool gives no connection'))
      else this.#open(client, release)
    })
  }

  /** Takes one more; false where it should look for another connection. */
  add(use: ConnectionUse): boolean {
    const client = this.#client
    if (this.#isOver || (client !== undefined && performance.now() - this.#lastAnswer > patience)) return false
    if (client === undefined) this.#waiting.push(use)
    else this.#send(client, use)
    return true
  }

  #open(client: PoolClient, release: (failure: Error | undefined) => void): void {
    this.#client = client
    this.#release = release
    this.#lastAnswer = performance.now()
    for (const use of this.#waiting.splice(0)) this.#send(client, use)
  }

  #send(client: PoolClient, use: ConnectionUse): void {
    this.#unanswered++
    use.run(client, (failure) => this.#answered(failure))
  }

  #answered(failure: Error | undefined): void {
    this.#lastAnswer = performance.now()
    if (--this.#unanswered > 0 && failure === undefined) return
    if (this.#isOver) return
    // The pool closes a broken one: whoever waits for it hears of that.
    this.#isOver = true
    this.#release(failure)
  }

  #failAll(error: Error): void {
    this.#isOver = true
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }
}

/**
 * Makes the function that lets short statements share a connection: the next one is sent before the last one is answered, so
 * that many travel in one packet. It goes back to the pool as soon as all are answered. Behind one that takes long nobody is
 * sent.
 */
export function shareConnections(pool: Pool): (use: ConnectionUse) => void {
  let current: SharedConnection | undefined
  return (use) => {
    if (current?.add(use) !== true) current = new SharedConnection(pool, use)
  }
}
