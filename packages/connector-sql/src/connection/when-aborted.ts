/** Calls `work` once when the signal is aborted, at once where it is already. Gives what stops listening. */
export function whenAborted(signal: AbortSignal | undefined, work: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    work()
    return () => {}
  }
  signal.addEventListener('abort', work, { once: true })
  return () => signal.removeEventListener('abort', work)
}
