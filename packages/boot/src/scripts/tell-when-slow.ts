/** Waits for `work`, and warns once when it takes longer than `milliseconds`. */
export async function tellWhenSlow(work: Promise<void>, milliseconds: number, warn: () => void): Promise<void> {
  const timer = setTimeout(warn, milliseconds)
  try {
    await work
  } finally {
    clearTimeout(timer)
  }
}
