const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Milliseconds in which a signal may come again: npm, and `serve --watch`, pass on what the terminal has sent already. */
const echoTime = 300

/** Resolves when the process receives a signal to end. A second signal ends it at once. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      resolve()
      setTimeout(() => {
        for (const signal of signals) process.off(signal, stop)
      }, echoTime).unref()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}
