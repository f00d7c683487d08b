import { InvalidArgument } from '@modelwire/core'
import { compileGlob } from './glob.ts'
import { type KeyValueStore, KeyValueConnector } from './key-value-model.ts'

interface Entry {
  /** Stored as text, so that each reader gets its own value. */
  readonly text: string
  readonly kind: 'json' | 'buffer' | 'date'
  expires: number | undefined
}

type Entries = Map<string, Entry>

const toEntry = (value: unknown): Pick<Entry, 'text' | 'kind'> => {
  if (Buffer.isBuffer(value)) return { text: value.toString('base64'), kind: 'buffer' }
  if (value instanceof Date) return { text: value.toISOString(), kind: 'date' }
  // What JSON cannot express, such as a function, is stored as nothing.
  return { text: toJson(value) ?? 'null', kind: 'json' }
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new InvalidArgument('value cannot be stored', { cause })
  }
}

const readers: Readonly<Record<Entry['kind'], (text: string) => unknown>> = {
  json: (text) => JSON.parse(text) as unknown,
  buffer: (text) => Buffer.from(text, 'base64'),
  date: (text) => new Date(text)
}

/**
 * Stores keys and values in the memory of the process. Expired ones are removed on access, and by `sweep`.
 * @see LoopBack 3: loopback-datasource-juggler, lib/connectors/kv-memory.js
 */
export class MemoryStore implements KeyValueStore {
  readonly #models = new Map<string, Entries>()
  readonly #now: () => number

  /** `now` returns the time in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  #entries(model: string): Entries {
    const cached = this.#models.get(model)
    if (cached !== undefined) return cached
    const entries: Entries = new Map()
    this.#models.set(model, entries)
    return entries
  }

  #find(model: string, key: string): Entry | undefined {
    const entries = this.#entries(model)
    const entry = entries.get(key)
    if (entry?.expires === undefined || entry.expires > this.#now()) return entry
    entries.delete(key)
    return undefined
  }

  async get(model: string, key: string): Promise<unknown> {
    const entry = this.#find(model, key)
    return entry === undefined ? null : readers[entry.kind](entry.text)
  }

  async set(model: string, key: string, value: unknown, ttl: number | undefined): Promise<void> {
    const expires = ttl === undefined ? undefined : this.#now() + ttl
    this.#entries(model).set(key, { ...toEntry(value), expires })
  }

  async expire(model: string, key: string, ttl: number): Promise<boolean> {
    const entry = this.#find(model, key)
    if (entry === undefined) return false
    entry.expires = this.#now() + ttl
    return true
  }

  async ttl(model: string, key: string): Promise<number | undefined | null> {
    const entry = this.#find(model, key)
    if (entry === undefined) return null
    return entry.expires === undefined ? undefined : entry.expires - this.#now()
  }

  async delete(model: string, key: string): Promise<void> {
    this.#entries(model).delete(key)
  }

  async deleteAll(model: string): Promise<void> {
    this.#models.delete(model)
  }

  async *keys(model: string, match: string | undefined): AsyncGenerator<string> {
    const matches = match === undefined ? () => true : compileGlob(match)
    // Keys that come meanwhile are not among them.
    for (const key of Array.from(this.#entries(model).keys()))
      if (matches(key) && this.#find(model, key) !== undefined) yield key
  }

  /** Removes expired values. */
  sweep(): void {
    for (const [model, entries] of this.#models) for (const key of entries.keys()) this.#find(model, key)
  }
}

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

/** Makes a connector that stores keys and values in the memory of the process. */
export function kvMemory(): KeyValueConnector {
  return new MemoryKeyValueConnector(new MemoryStore())
}
