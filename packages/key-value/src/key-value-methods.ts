import { InvalidArgument } from '@modelwire/core'
import type { ConnectorMethods, ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { KeyUnknown } from './errors.ts'
import type { KeyValueStore } from './key-value-model.ts'

type ModelFunction = ConnectorMethods[string]['run']

/** Selects keys. */
export interface KeyFilter {
  /** A pattern such as `session-*`. */
  readonly match?: string
  /** Maximum number of keys. */
  readonly limit?: number
  /** Number of keys to skip; the order is stable as long as no keys are added or removed. */
  readonly skip?: number
}

/** Iterates over keys. */
export interface KeyIterator extends AsyncIterable<string> {
  /** The next key; undefined after the last one. */
  next(): Promise<string | undefined>
}

/**
 * The methods of models that are attached to a key-value store. With `boot` those that return promises may also be called
 * with a callback.
 */
export interface KeyValueMethods {
  /** null if the key has no value. */
  get(key: string): Promise<unknown>
  /** `ttl` is in milliseconds. */
  set(key: string, value: unknown, options?: number | { readonly ttl?: number }): Promise<void>
  /** @throws {KeyNotFound} the key has no value */
  expire(key: string, ttl: number): Promise<void>
  /**
   * Milliseconds; undefined if the value does not expire.
   * @throws {KeyNotFound} the key has no value
   */
  ttl(key: string): Promise<number | undefined>
  keys(filter?: KeyFilter): Promise<string[]>
  iterateKeys(filter?: KeyFilter): KeyIterator
  delete(key: string): Promise<void>
  deleteAll(): Promise<void>
}

function checkKey(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key
  throw new InvalidArgument('key must be a non-empty string')
}

/** Milliseconds as stores count them. */
function checkTtl(ttl: unknown): number {
  const whole = typeof ttl === 'number' ? Math.ceil(ttl) : Number.NaN
  if (whole > 0 && Number.isSafeInteger(Date.now() + whole)) return whole
  throw new InvalidArgument('ttl must be a positive number of milliseconds')
}

function ttlIn(options: unknown): number | undefined {
  const ttl = isPlainObject(options) ? options['ttl'] : options
  return ttl === undefined || ttl === null ? undefined : checkTtl(ttl)
}

/** LB3: null is not a value. */
function checkValue(value: unknown): unknown {
  if (value !== undefined && value !== null) return value
  throw new InvalidArgument('value must be defined and not null')
}

interface KeyPage {
  readonly match: string | undefined
  readonly limit: number
  readonly skip: number
}

function countIn(filter: Readonly<Record<string, unknown>>, name: 'limit' | 'skip', least: number): number | undefined {
  const count = filter[name] ?? undefined
  // Addresses have texts.
  const number = typeof count === 'string' && count.trim() !== '' ? Number(count) : count
  if (number === undefined || (Number.isSafeInteger(number) && Number(number) >= least)) return number as number // checked
  throw new InvalidArgument(`${name} must be an integer from ${least}`)
}

/** LB3: an empty pattern is none. */
function readFilter(filter: unknown): KeyPage {
  if (filter === undefined || filter === null) return { match: undefined, limit: Infinity, skip: 0 }
  const match = isPlainObject(filter) ? (filter['match'] ?? '') : filter
  if (!isPlainObject(filter) || typeof match !== 'string')
    throw new InvalidArgument('filter must be an object whose match is a string')
  return {
    match: match === '' ? undefined : match,
    limit: countIn(filter, 'limit', 1) ?? Infinity,
    skip: countIn(filter, 'skip', 0) ?? 0
  }
}

/** The keys of one page: no more of them are read than it has. */
async function* pageOf(keys: AsyncIterable<string>, { skip, limit }: KeyPage): AsyncGenerator<string> {
  let at = 0
  for await (const key of keys) {
    if (at++ >= skip) yield key
    if (at >= skip + limit) return
  }
}

/** Each key once, though a store may name one twice while others come and go. */
async function* distinct(keys: AsyncIterable<string>): AsyncGenerator<string> {
  const found = new Set<string>()
  for await (const key of keys) {
    if (!found.has(key)) yield key
    found.add(key)
  }
}

function iteratorOf(keys: AsyncIterable<string>, offer: (method: ModelFunction) => ModelFunction): KeyIterator {
  const iterator = keys[Symbol.asyncIterator]()
  const next = async (): Promise<string | undefined> => {
    const result: IteratorResult<string, unknown> = await iterator.next()
    return result.done === true ? undefined : result.value
  }
  // It does the same, and may take a callback besides.
  return { next: offer(next) as KeyIterator['next'], [Symbol.asyncIterator]: () => iterator }
}

async function listKeys(keys: AsyncIterable<string>, page: KeyPage): Promise<string[]> {
  const found: string[] = []
  for await (const key of pageOf(distinct(keys), page)) found.push(key)
  return found
}

/**
 * The methods of models of a key-value store. A connector returns them from its `methods`; `KeyValueConnector` does.
 * @see LoopBack 3: loopback-datasource-juggler, lib/kvao
 */
export function keyValueMethods(store: KeyValueStore, { name: model, registry }: ModelType): ConnectorMethods {
  const asynchronous: Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>> = {
    get: async (key) => store.get(model, checkKey(key)),
    set: async (key, value, options) => store.set(model, checkKey(key), checkValue(value), ttlIn(options)),
    expire: async (key, ttl) => {
      const exists = await store.expire(model, checkKey(key), checkTtl(ttl))
      if (!exists) throw new KeyUnknown(`Cannot expire unknown key ${JSON.stringify(key)}`)
    },
    ttl: async (key) => {
      const left = await store.ttl(model, checkKey(key))
      if (left === null) throw new KeyUnknown(`Cannot get TTL for unknown key ${JSON.stringify(key)}`)
      return left
    },
    keys: async (filter) => {
      const page = readFilter(filter)
      return listKeys(store.keys(model, page.match), page)
    },
    delete: async (key) => store.delete(model, checkKey(key)),
    deleteAll: async () => store.deleteAll(model)
  }
  const methods = Object.entries(asynchronous).map(([name, run]) => [name, { run, givesPromise: true }] as const)
  const iterateKeys: ModelFunction = (filter) => {
    const page = readFilter(filter)
    return iteratorOf(pageOf(store.keys(model, page.match), page), registry.offerMethod)
  }
  return { ...Object.fromEntries(methods), iterateKeys: { run: iterateKeys } }
}
