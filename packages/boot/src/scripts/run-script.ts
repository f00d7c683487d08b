import { isPromiseLike } from '../callback-bridge.ts'
import { messageOf, ScriptFailed } from '@modelwire/loopback-express'

/**
 * Runs a script that is not waited for where it answers at once; its promise is put into `pending`.
 * @throws {ScriptFailed} it failed; `cause` is its error
 */
export function runScript(run: () => unknown, failure: string, file: string, pending: Promise<unknown>[]): void {
  const failed = (cause: unknown): ScriptFailed =>
    new ScriptFailed(`${failure}: ${messageOf(cause)}`, { file }, { cause })
  try {
    const answer = run()
    if (isPromiseLike(answer)) addPending(pending, settle(answer, failed))
  } catch (cause) {
    throw failed(cause)
  }
}

/** Adds what the start waits for later. Its failure is reported once, as the error of the start. */
export function addPending(pending: Promise<unknown>[], promise: Promise<unknown>): void {
  void Promise.allSettled([promise])
  pending.push(promise)
}

async function settle(answer: PromiseLike<unknown>, failed: (cause: unknown) => ScriptFailed): Promise<void> {
  try {
    await answer
  } catch (cause) {
    throw failed(cause)
  }
}
