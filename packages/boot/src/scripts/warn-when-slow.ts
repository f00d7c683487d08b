/** Waits for `work`, and warns once when it takes longer than `milliseconds`. It does not keep the process alive. */
export async function warnWhenSlow(work: Promise<void>, milliseconds: number, warn: () => void): Promise<void> {
  const timer = setTimeout(warn, milliseconds).unref()
  try {
    await work
  } finally {
    clearTimeout(timer)
  }
}
