import type { PoolClient } from 'pg'
import type { Connect, Release } from './connect.ts'

/** Something that needs a connection. */
export interface ConnectionUse {
  /**
   * `done` says that it was answered, with the error after which the connection is of no use. `leave` says that no
   * caller waits for the answer, and returns whether no caller waits for another one on this connection either.
   */
  readonly run: (client: PoolClient, done: (failure: Error | undefined) => void, leave: () => boolean) => void
  /** No connection could be had. */
  readonly fail: (error: Error) => void
}

/** Milliseconds without an answer after which no statement is queued behind the waiting ones. */
const busyTimeoutMs = 20

/** A connection of a pool from its first use to its last answer. */
class SharedConnection {
  readonly #waiting: ConnectionUse[] = []
  /** Statements that were sent and whose callers wait. */
  readonly #wanted = new Set<ConnectionUse>()
  #client: PoolClient | undefined
  #unanswered = 0
  #lastAnswer = 0
  #isOver = false
  #release: Release = () => {}

  constructor(connect: Connect, first: ConnectionUse) {
    this.#waiting.push(first)
    connect({ take: (client, release) => this.#open(client, release), fail: (error) => this.#failAll(error) })
  }

  /** Takes one more; false where it should look for another connection. */
  add(use: ConnectionUse): boolean {
    const client = this.#client
    if (this.#isOver || (client !== undefined && performance.now() - this.#lastAnswer > busyTimeoutMs)) return false
    if (client === undefined) this.#waiting.push(use)
    else this.#send(client, use)
    return true
  }

  #open(client: PoolClient, release: Release): void {
    this.#client = client
    this.#release = release
    this.#lastAnswer = performance.now()
    for (const use of this.#waiting.splice(0)) this.#send(client, use)
  }

  #send(client: PoolClient, use: ConnectionUse): void {
    this.#unanswered++
    this.#wanted.add(use)
    const done = (failure: Error | undefined): void => {
      this.#wanted.delete(use)
      this.#answered(failure)
    }
    const leave = (): boolean => {
      this.#wanted.delete(use)
      return this.#wanted.size === 0
    }
    use.run(client, done, leave)
  }

  #answered(failure: Error | undefined): void {
    this.#lastAnswer = performance.now()
    if (--this.#unanswered > 0 && failure === undefined) return
    if (this.#isOver) return
    // The pool closes a broken one: its callers get the error.
    this.#isOver = true
    this.#release(failure)
  }

  #failAll(error: Error): void {
    this.#isOver = true
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }
}

/**
 * Makes the function that lets short statements share a connection: the next one is sent before the last one is
 * answered, so that many travel in one packet. It goes back to the pool as soon as all are answered. Nothing is queued
 * behind a slow one.
 */
export function shareConnections(connect: Connect): (use: ConnectionUse) => void {
  let current: SharedConnection | undefined
  return (use) => {
    if (current?.add(use) !== true) current = new SharedConnection(connect, use)
  }
}
