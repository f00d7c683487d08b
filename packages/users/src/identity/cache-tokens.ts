import type { Model } from '@modelwire/core'
import type { Row, Change, ModelType } from '@modelwire/core/connector'
import { followChanges, repository } from '@modelwire/core/plugin'
import type { Awaitable } from '@modelwire/server'

/** The dependencies of a token cache. */
export interface CachingTokens {
  /** Model of the tokens. */
  readonly model: ModelType
  /** Reads a token from the database. */
  readonly load: (id: string) => Promise<Model | undefined>
  /** Seconds. */
  readonly maxAge: number
  /** Maximum number of cached tokens. */
  readonly size: number
  /** Milliseconds of a monotonic clock; that of the process when absent. */
  readonly clock?: () => number
}

/** Returns a copy of the token with this id; a promise if it must be read. Expiry is not checked. */
export type FindToken = (id: string) => Awaitable<Model | undefined>

interface Kept {
  readonly row: Row
  readonly since: number
}

/** Cached tokens, the oldest entries first. */
interface TokenStore {
  readonly get: (id: string) => Model | undefined
  /** @param since when it began to be read: it may have changed from then on */
  readonly set: (id: string, token: Model, since: number) => void
  /** Removes a token, or all tokens if `id` is absent. */
  readonly forget: (id: string | undefined) => void
}

const idNameOf = ({ idProperty }: ModelType): string => idProperty?.name ?? 'id'

/** What a token holds; scripts may change the token of a request, and what it holds in turn. */
const rowOf = (model: ModelType, token: Model): Row => Object.assign({}, repository.toInstance(model, token))

function createStore({ model, maxAge, size }: CachingTokens, clock: () => number): TokenStore {
  const kept = new Map<string, Kept>()
  const [idName, lifetime] = [idNameOf(model), maxAge * 1000]
  return {
    get: (id) => {
      const found = kept.get(id)
      return found !== undefined && clock() - found.since < lifetime
        ? repository.toInstance(model, found.row)
        : undefined
    },
    set: (id, token, since) => {
      // Databases find some ids that are written otherwise: change events would not name those.
      if (String(token[idName]) !== id) return
      kept.delete(id)
      kept.set(id, { row: rowOf(model, token), since })
      const [oldest] = kept.keys()
      if (kept.size > size && oldest !== undefined) kept.delete(oldest)
    },
    forget: (id) => {
      if (id === undefined) kept.clear()
      else kept.delete(id)
    }
  }
}

/** A token being read. */
interface Reading {
  readonly result: Promise<Model | undefined>
  readonly since: number
  /** It changed while it was being read: the result may be outdated. */
  isStale: boolean
}

/** Makes later readers read again. */
function makeStale(readings: Map<string, Reading>, id: string | undefined): void {
  for (const key of id === undefined ? [...readings.keys()] : [id]) {
    const reading = readings.get(key)
    if (reading !== undefined) reading.isStale = true
    readings.delete(key)
  }
}

/** The one token that a change is about; undefined where it may be about any. */
function changedId({ id, where }: Change, idName: string): string | undefined {
  // Further conditions leave fewer tokens over, never others.
  const named: unknown = id ?? (typeof where === 'object' && where !== null ? Reflect.get(where, idName) : undefined)
  return typeof named === 'string' || typeof named === 'number' ? String(named) : undefined
}

/**
 * Makes a cache of tokens. Changes through the token model in this process take effect at once, those of other processes
 * when the shared state reports them, else after `maxAge`. Unknown ids are never cached. A token is read once, however many
 * callers wait for it.
 */
export function cacheTokens(caching: CachingTokens): FindToken {
  const { model, load, clock = () => performance.now() } = caching
  const store = createStore(caching, clock)
  const readings = new Map<string, Reading>()
  followChanges(model.registry, {
    model: model.name,
    keyOf: (change) => changedId(change, idNameOf(model)),
    forget: (id) => {
      store.forget(id)
      makeStale(readings, id)
    }
  })
  const finish = async (id: string, reading: Reading): Promise<Model | undefined> => {
    try {
      const token = await reading.result
      if (token !== undefined && !reading.isStale) store.set(id, token, reading.since)
      return token
    } finally {
      // Whatever marked it stale has removed it.
      if (!reading.isStale) readings.delete(id)
    }
  }
  const join = async ({ result }: Reading): Promise<Model | undefined> => {
    const token = await result
    return token && repository.toInstance(model, token)
  }
  return (id) => {
    const begun = readings.get(id)
    if (begun !== undefined) return join(begun)
    const found = store.get(id)
    if (found !== undefined) return found
    const reading: Reading = { since: clock(), result: load(id), isStale: false }
    readings.set(id, reading)
    return finish(id, reading)
  }
}
