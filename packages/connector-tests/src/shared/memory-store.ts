import type { CoreOptions } from '@modelwire/core'

type SharedStore = Exclude<CoreOptions['sharedState'], string | undefined>

/** A shared state in the memory of this process, which fails once it is told to. */
export function makeMemoryStore(): { store: SharedStore; state: { fails: boolean } } {
  const values = new Map<string, { readonly value: string; readonly until: number }>()
  const state = { fails: false }
  const valueAt = (key: string): string | undefined => {
    if (state.fails) throw new Error('the store is away')
    const found = values.get(key)
    return found !== undefined && found.until > Date.now() ? found.value : undefined
  }
  const store: SharedStore = {
    name: 'memory',
    keepsFacts: true,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    read: async (key) => valueAt(key),
    async swap(key, from, to, lifetime) {
      if (valueAt(key) !== from) return false
      if (to === undefined) values.delete(key)
      else values.set(key, { value: to, until: Date.now() + lifetime })
      return true
    }
  }
  return { store, state }
}
