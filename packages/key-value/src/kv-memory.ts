import { KeyValueConnector } from './key-value-connector.ts'
import { MemoryStore } from './memory-store.ts'

/** Milliseconds; as LoopBack. */
const sweepInterval = 1000

class MemoryKeyValueConnector extends KeyValueConnector {
  readonly name = 'kv-memory'
  readonly #store: MemoryStore
  #sweeping: NodeJS.Timeout | undefined

  constructor(store: MemoryStore) {
    super(store)
    this.#store = store
  }

  async connect(): Promise<void> {
    this.#sweeping ??= setInterval(() => this.#store.sweep(), sweepInterval).unref()
  }

  async disconnect(): Promise<void> {
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  async ping(): Promise<void> {}
}

/** A connector that keeps keys and values in the memory of the process. */
export function kvMemory(): KeyValueConnector {
  return new MemoryKeyValueConnector(new MemoryStore())
}
