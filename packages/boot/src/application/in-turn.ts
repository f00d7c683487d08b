const running = new Map<string, Promise<unknown>>()

/** Runs work of the same name one after the other, in the order of the calls. */
export async function inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const before = running.get(name)
  const own = before === undefined ? work() : after(before, work)
  running.set(name, own)
  try {
    return await own
  } finally {
    if (running.get(name) === own) running.delete(name)
  }
}

async function after<Value>(before: Promise<unknown>, work: () => Promise<Value>): Promise<Value> {
  await Promise.allSettled([before])
  return work()
}
