import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeStream } from 'mongodb'

/** Milliseconds until a stream that broke off is opened again: the log is looked at meanwhile. */
const pause = 1000

/** Calls `wake` for each change of a stream, and opens it anew when it breaks off, until the returned function is called. */
export function listenForChanges(open: () => ChangeStream, wake: () => void): () => Promise<void> {
  const over = new AbortController()
  let stream: ChangeStream | undefined
  const read = async (): Promise<void> => {
    stream = open()
    for (;;) {
      await stream.next()
      wake()
    }
  }
  const listen = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await Promise.allSettled([read()])
      // What was missed is in the log.
      wake()
      await Promise.allSettled([sleep(pause, undefined, { signal: over.signal })])
    }
  }
  const listening = listen()
  return async () => {
    over.abort()
    await stream?.close()
    await listening
  }
}
