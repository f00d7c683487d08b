import { isPromiseLike } from '@modelwire/loopback/api'
import { messageOf, ScriptFailed } from '@modelwire/loopback/express'

/**
 * Runs a script; if it returns a promise, adds that to `pending`.
 * @throws {ScriptFailed} it failed; `cause` is its error
 */
export function runScript(run: () => unknown, failure: string, file: string, pending: Promise<unknown>[]): void {
  const failed = (cause: unknown): ScriptFailed =>
    new ScriptFailed(`${failure}: ${messageOf(cause)}`, { file }, { cause })
  try {
    const answer = run()
    if (isPromiseLike(answer)) addPending(pending, settleScript(answer, failed))
  } catch (cause) {
    throw failed(cause)
  }
}

/** Adds a promise that startup waits for later. Its failure is reported once, as the error of startup. */
export function addPending(pending: Promise<unknown>[], promise: Promise<unknown>): void {
  void Promise.allSettled([promise])
  pending.push(promise)
}

async function settleScript(answer: PromiseLike<unknown>, failed: (cause: unknown) => ScriptFailed): Promise<void> {
  try {
    await answer
  } catch (cause) {
    throw failed(cause)
  }
}
