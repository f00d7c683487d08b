import type { Awaitable } from '../values/awaitable.ts'

/** How often something was counted in its window of time. */
export interface Hits {
  readonly count: number
  /** Milliseconds until counting begins anew. */
  readonly left: number
}

/** What a store tells of others. */
export interface StoreListener {
  /** A message that this or another process published. */
  readonly hear: (message: string) => void
  /** Messages may have been lost. */
  readonly miss: () => void
}

/**
 * Where the processes of an application keep what they share: a database of its own kind, such as Redis. Values are short texts.
 * What cannot be carried out rejects, in about a second.
 */
export interface SharedStore {
  /** As logs name it. */
  readonly name: string
  /** Values may be of any length, and live as long as they should: facts may be kept here instead of in models. */
  readonly keepsFacts: boolean
  /** Begins to work. Called once, when data sources are open; resolves also where the store cannot be reached yet. */
  readonly open: (listener: StoreListener) => Promise<void>
  readonly close: () => Promise<void>
  /** The value of a key; undefined where there is none, or where its time is over. */
  readonly read: (key: string) => Promise<string | undefined>
  /**
   * Puts `to` in the place of `from`, atomically; undefined stands for no value. True where it did: the value was `from`.
   * @param lifetime milliseconds after which `to` is over
   */
  readonly swap: (key: string, from: string | undefined, to: string | undefined, lifetime: number) => Promise<boolean>
  /** Counts one more, atomically. Where it is absent, `swap` is used. @param window milliseconds from the first one until counting begins anew */
  readonly count?: (key: string, window: number) => Promise<Hits>
  /** Sends a message to all processes, this one included. Absent where the store has no messages. */
  readonly publish?: (message: string) => Promise<void>
  /** Removes what is over. Absent where the store does so by itself. */
  readonly purge?: () => Awaitable<void>
}
