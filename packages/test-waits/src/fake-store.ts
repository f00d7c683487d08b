import type { SharedStore } from '@modelwire/server'

/** A store that several states in this process share, as processes share a database. */
export interface FakeStore {
  /** The store as one more process has it. */
  readonly join: () => SharedStore
  /** Everything fails from now on, or works again. */
  fails: boolean
  /** How often it was asked for something. */
  asked: number
  readonly values: Map<string, { readonly value: string; readonly until: number }>
  /** Tells everyone that messages may have been lost. */
  readonly loseMessages: () => void
}

/** Makes one. Everything takes a turn of the event loop, so that processes come in between. */
export function makeFakeStore(): FakeStore {
  const values: FakeStore['values'] = new Map()
  const listeners = new Set<Parameters<SharedStore['open']>[0]>()
  const turn = async (): Promise<void> => {
    fake.asked++
    await new Promise(setImmediate)
    if (fake.fails) throw new Error('the store is away')
  }
  const valueAt = (key: string): string | undefined => {
    const found = values.get(key)
    return found !== undefined && found.until > Date.now() ? found.value : undefined
  }
  const join = (): SharedStore => ({
    name: 'fake',
    keepsFacts: true,
    open: async (listener) => void listeners.add(listener),
    close: () => Promise.resolve(),
    async read(key) {
      await turn()
      return valueAt(key)
    },
    async swap(key, from, to, lifetime) {
      await turn()
      if (valueAt(key) !== from) return false
      if (to === undefined) values.delete(key)
      else values.set(key, { value: to, until: Date.now() + lifetime })
      return true
    },
    async publish(message) {
      await turn()
      for (const { hear } of listeners) hear(message)
    }
  })
  const loseMessages = (): void => {
    for (const { miss } of listeners) miss()
  }
  const fake: FakeStore = { join, fails: false, asked: 0, values, loseMessages }
  return fake
}
