import type { Change, ChangeBus } from '../contract/change-log.ts'
import type { SharedState } from '@modelwire/server'

/** A cache of data derived from a model's records. */
export interface CacheOfRecords {
  /** Name of the model; models that extend it are included. */
  readonly model: string
  /** The cache key that a change affects; undefined if it may affect any. All of them when absent. */
  readonly keyOf?: (change: Change) => string | undefined
  /** Clears the entry of a key, or everything. */
  readonly forget: (key: string | undefined) => void
}

/** The parts of a registry that invalidate caches. */
export interface CachingRegistry {
  readonly changes: ChangeBus
  readonly shared: SharedState
}

/**
 * Invalidates a cache on changes: of this process immediately after the commit, of others when the shared state reports
 * them. If messages may have been lost, it clears everything. Without messages, the cache must check by itself.
 */
export function followChanges({ changes, shared }: CachingRegistry, cache: CacheOfRecords): void {
  const { model, keyOf = () => undefined, forget } = cache
  const topic = `changed ${model}`
  changes.subscribe(model, (change) => {
    const key = keyOf(change)
    forget(key)
    // What was read from a log, the other processes read as well.
    if (shared.hasMessages && change.position === undefined) shared.publish(topic, key === undefined ? '' : `=${key}`)
  })
  shared.listen(topic, (message) => forget(message === undefined || message === '' ? undefined : message.slice(1)))
}
