import type { Row } from '../connector/connector.ts'

/** What happened to records. */
export type ChangeKind = 'create' | 'update' | 'remove'

/** One committed change. `id` is undefined where many records changed at once; `where` then says which. */
export interface Change {
  readonly model: string
  readonly kind: ChangeKind
  readonly id: unknown
  /** The record afterwards; of an update of many what it changed. */
  readonly after?: Row | undefined
  readonly where?: unknown
  /** The record that was told to delete itself. */
  readonly instance?: Row | undefined
  /** What a deletion removed. */
  readonly removed?: readonly Row[] | undefined
}

/** Hears of changes. What it throws goes to the registry's `onError`. */
export type ChangeListener = (change: Change) => void

/** Carries changes from writers to listeners. The default one works inside the process. */
export interface ChangeBus {
  /** Somebody hears of changes of `model`: of its own, or of those of a model that it extends. */
  hasListeners(model: string): boolean
  publish(change: Change): void
  /** Calls `listener` for every change of `model` and of models that extend it, until the returned function is called. */
  subscribe(model: string, listener: ChangeListener): () => void
}

/**
 * A bus inside one process. A listener that throws does not keep others from hearing of the change.
 * @param baseOf the model that one extends
 * @see LoopBack 3: loopback-datasource-juggler, lib/observer.js, _notifyBaseObservers
 */
export function localChangeBus(
  onError: (error: unknown) => void,
  baseOf: (model: string) => string | undefined
): ChangeBus {
  const listeners = new Map<string, Set<ChangeListener>>()
  const listenersOf = (model: string): ChangeListener[] => {
    const base = baseOf(model)
    return [...(base === undefined ? [] : listenersOf(base)), ...(listeners.get(model) ?? [])]
  }
  const tell = (listener: ChangeListener, change: Change) => {
    try {
      listener(change)
    } catch (error) {
      onError(error)
    }
  }
  return {
    hasListeners: (model) => {
      for (let name: string | undefined = model; name !== undefined; name = baseOf(name))
        if ((listeners.get(name)?.size ?? 0) > 0) return true
      return false
    },
    publish: (change) => {
      for (const listener of listenersOf(change.model)) tell(listener, change)
    },
    subscribe: (model, listener) => {
      const set = listeners.get(model) ?? new Set()
      listeners.set(model, set.add(listener))
      return () => {
        set.delete(listener)
      }
    }
  }
}
