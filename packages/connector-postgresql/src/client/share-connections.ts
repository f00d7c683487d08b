import { BusyConnection, type CancelPolicy } from '@modelwire/core/connector'
import type { PoolClient } from 'pg'
import type { Connect, Release } from './connect.ts'
import { cancelMethods } from './send-cancel.ts'

/** Something that needs a connection. */
export interface ConnectionUse {
  /**
   * `done` says that it was answered, with the error after which the connection is of no use. `leave` says that no
   * caller waits for the answer.
   */
  readonly run: (client: PoolClient, done: (failure: Error | undefined) => void, leave: () => void) => void
  /** No connection could be had. */
  readonly fail: (error: Error) => void
}

/** Milliseconds without an answer after which no statement is queued behind the waiting ones. */
const busyTimeoutMs = 20

/** A connection of a pool from its first use to its last answer. */
class SharedConnection {
  readonly #policy: CancelPolicy
  readonly #waiting: ConnectionUse[] = []
  #open: { readonly client: PoolClient; readonly busy: BusyConnection } | undefined
  #isOver = false
  #release: Release = () => {}

  constructor(policy: CancelPolicy, connect: Connect, first: ConnectionUse) {
    this.#policy = policy
    this.#waiting.push(first)
    connect({ take: (client, release) => this.#take(client, release), fail: (error) => this.#failAll(error) })
  }

  /** Takes one more; false where it should look for another connection. */
  add(use: ConnectionUse): boolean {
    if (this.#isOver) return false
    if (this.#open === undefined) return this.#waiting.push(use) > 0
    const { client, busy } = this.#open
    if (busy.isCancelling || busy.runningTime > busyTimeoutMs) return false
    this.#send(client, busy, [use])
    return true
  }

  #take(client: PoolClient, release: Release): void {
    const busy = new BusyConnection(cancelMethods(client), this.#policy)
    this.#open = { client, busy }
    this.#release = release
    this.#send(client, busy, this.#waiting.splice(0))
  }

  #send(client: PoolClient, busy: BusyConnection, uses: readonly ConnectionUse[]): void {
    // All are added before the first one may be done, which would release the connection.
    const added = uses.map((use) => ({ use, statement: busy.add() }))
    for (const { use, statement } of added) {
      const done = (failure: Error | undefined): void => {
        busy.remove(statement)
        if (failure !== undefined) this.#end(failure)
        else if (busy.isIdle) this.#endAfter(busy.settling)
      }
      use.run(client, done, () => busy.leave(statement))
    }
  }

  #endAfter(settling: Promise<void> | undefined): void {
    if (settling === undefined) this.#end(undefined)
    else void this.#endWhenSettled(settling)
  }

  async #endWhenSettled(settling: Promise<void>): Promise<void> {
    await settling
    this.#end(undefined)
  }

  /** The pool closes a broken one: its callers get the error. */
  #end(failure: Error | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#release(failure)
  }

  #failAll(error: Error): void {
    this.#isOver = true
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }
}

/** Runs something on a connection of the pool: one of its own, or one that it may share. */
export type UseConnection = (use: ConnectionUse, mayShare: boolean) => void

/**
 * Makes the function that lets short statements share a connection: the next one is sent before the last one is
 * answered, so that many travel in one packet. It goes back to the pool as soon as all are answered, and nothing that
 * cancels one of them can reach a later statement. Nothing is queued behind a slow one.
 */
export function shareConnections(connect: Connect, policy: CancelPolicy): UseConnection {
  let current: SharedConnection | undefined
  return (use, mayShare) => {
    if (mayShare && current?.add(use) === true) return
    const opened = new SharedConnection(policy, connect, use)
    if (mayShare) current = opened
  }
}
