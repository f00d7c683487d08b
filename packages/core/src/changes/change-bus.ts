import type { Change, ChangeBus, ChangeListener } from '../contract/change-bus.ts'

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
  const notify = (listener: ChangeListener, change: Change) => {
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
      for (const listener of listenersOf(change.model)) notify(listener, change)
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
