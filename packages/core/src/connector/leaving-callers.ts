import { limitParallel } from '@modelwire/server'
import { StatementCancelled } from './errors.ts'

/** Cancel requests that a data source has in progress at once. */
const cancelsAtOnce = 2

/** Milliseconds that a statement may go on after it was cancelled; then its connection is closed. */
const cancelTimeoutMs = 5000

/** When a data source cancels statements, and how many of them at once. */
export interface CancelPolicy {
  /** Milliseconds that a statement may run before it is cancelled. */
  readonly after: number
  readonly limit: ReturnType<typeof limitParallel>
}

/** Makes the policy of a data source whose setting `cancelAfter` has this value. */
export function cancelPolicy(after: number): CancelPolicy {
  return { after, limit: limitParallel(cancelsAtOnce) }
}

/** How to stop the statement that a connection is running. */
export interface CancelMethods {
  /**
   * Asks the server to stop the statement. Resolves when the request can no longer affect a later one, and rejects if that
   * is unknown; either happens within seconds.
   */
  readonly cancel: () => Promise<void>
  /** Closes the connection. */
  readonly end: () => void
}

/** A statement that was sent but not answered yet. */
export interface SentStatement {
  isLeft: boolean
  /** It was cancelled, or will be next. */
  isCancelled: boolean
}

/**
 * The statements that run on one connection, in the order in which they were sent. A short one whose caller has
 * disconnected runs to completion; a long-running one is cancelled once nobody waits for any of them. The connection
 * remains usable, but not before `settling` resolves.
 */
export class BusyConnection {
  readonly #methods: CancelMethods
  readonly #policy: CancelPolicy
  readonly #sent: SentStatement[] = []
  #since = 0
  #due: NodeJS.Timeout | undefined
  #overdue: NodeJS.Timeout | undefined
  #settling: Promise<void> | undefined

  constructor(methods: CancelMethods, policy: CancelPolicy) {
    this.#methods = methods
    this.#policy = policy
  }

  /** Resolves when the cancel request in progress can no longer affect a later statement; undefined if there is none. */
  get settling(): Promise<void> | undefined {
    return this.#settling
  }

  get isIdle(): boolean {
    return this.#sent.length === 0
  }

  /** True while the first statement is being cancelled: none may be sent after it. */
  get isCancelling(): boolean {
    return this.#settling !== undefined || this.#sent[0]?.isCancelled === true
  }

  /** Milliseconds that the first statement has run. */
  get runningTime(): number {
    return performance.now() - this.#since
  }

  /** Adds a statement that is being sent. */
  add(): SentStatement {
    const statement = { isLeft: false, isCancelled: false }
    if (this.#sent.push(statement) === 1) this.#since = performance.now()
    return statement
  }

  /** Cancels a statement whose caller has disconnected, once it has run for long. */
  leave(statement: SentStatement): void {
    statement.isLeft = true
    this.#schedule(this.#policy.after)
  }

  /** Cancels a statement that took too long. */
  stop(statement: SentStatement): void {
    statement.isLeft = true
    this.#schedule(0)
  }

  /** Removes a statement that was answered, or has failed. */
  remove(statement: SentStatement): void {
    this.#sent.splice(this.#sent.indexOf(statement), 1)
    this.#since = performance.now()
    clearTimeout(this.#overdue)
    this.#schedule(this.#policy.after)
  }

  #schedule(after: number): void {
    clearTimeout(this.#due)
    const [first] = this.#sent
    if (first === undefined || first.isCancelled || !this.#sent.every(({ isLeft }) => isLeft)) return
    this.#due = setTimeout(() => this.#cancel(first), Math.max(0, after - this.runningTime))
  }

  #cancel(first: SentStatement): void {
    // Another one may have been sent behind it.
    if (!this.#sent.every(({ isLeft }) => isLeft)) return
    first.isCancelled = true
    this.#overdue = setTimeout(() => this.#methods.end(), cancelTimeoutMs)
    void this.#policy.limit(async () => {
      await this.#settling
      if (this.#sent[0] !== first) return
      this.#settling = this.#request()
      await this.#settling
      this.#settling = undefined
    })
  }

  async #request(): Promise<void> {
    try {
      await this.#methods.cancel()
    } catch {
      this.#methods.end()
    }
  }
}

/** Calls `work` once when the signal is aborted, or at once if it already is. Returns a function that stops listening. */
export function whenAborted(signal: AbortSignal | undefined, work: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    work()
    return () => {}
  }
  signal.addEventListener('abort', work, { once: true })
  return () => signal.removeEventListener('abort', work)
}

/**
 * Returns the result of `work`, or rejects as soon as its caller disconnects: the work then continues, and its result is
 * dropped.
 * @throws {StatementCancelled} the caller has left, before the work began or meanwhile
 */
export async function untilLeft<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  if (signal === undefined) return work()
  if (signal.aborted) throw new StatementCancelled()
  let forget: (() => void) | undefined
  const left = new Promise<never>((_resolve, reject) => {
    forget = whenAborted(signal, () => reject(new StatementCancelled()))
  })
  try {
    return await Promise.race([work(), left])
  } finally {
    forget?.()
  }
}

/** @throws {StatementCancelled} the caller has left */
export function throwIfLeft(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StatementCancelled()
}
