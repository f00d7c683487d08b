import type { Change, ChangeBus } from '../contract/change-bus.ts'
import type { SharedState } from '../shared-state/shared-state.ts'

/** A cache of what is made of a model's records. */
export interface CacheOfRecords {
  /** Name of the model; models that extend it count as well. */
  readonly model: string
  /** What of the cache a change is about; undefined where that may be anything. All of it when absent. */
  readonly keyOf?: (change: Change) => string | undefined
  /** Forgets what is kept under a key, or everything. */
  readonly forget: (key: string | undefined) => void
}

/** What of a registry has to do with it. */
export interface CachingRegistry {
  readonly changes: ChangeBus
  readonly shared: SharedState
}

/**
 * Lets a cache forget what changes: what this process changes at once, after the commit, and what others do as soon as they say so,
 * where the shared state has messages. Where messages may have been lost it forgets everything. Without messages it has to look
 * again by itself.
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
