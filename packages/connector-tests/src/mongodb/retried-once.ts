import type { Answer, Command } from './load-congo.ts'

/**
 * A write that a driver sends again with its number is not carried out twice: it gets the answer that was lost. As MongoDB does it for
 * the last write of each session.
 * @see https://github.com/mongodb/specifications/blob/master/source/retryable-writes/retryable-writes.md
 */
export function retriedOnce(perform: (command: Command) => Answer): (command: Command) => Answer {
  const last = new Map<string, { readonly number: string; readonly answer: Answer }>()
  return (command) => {
    const { lsid, txnNumber, autocommit } = command.command
    // Commands of transactions have numbers, too.
    if (txnNumber === undefined || autocommit !== undefined) return perform(command)
    const [session, number] = [JSON.stringify(lsid), String(txnNumber)]
    const cached = last.get(session)
    if (cached?.number === number) return cached.answer
    const answer = perform(command)
    last.set(session, { number, answer })
    return answer
  }
}
