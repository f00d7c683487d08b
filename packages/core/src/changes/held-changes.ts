import { AsyncLocalStorage } from 'node:async_hooks'
import type { Change, ChangeBus, ChangeListener, ChangeLog } from '../contract/change-log.ts'
import type { Registry } from '../contract/registry.ts'
import { changeLogOf } from './change-log-of.ts'

/** Changes of an uncommitted transaction. */
export interface HeldChanges {
  readonly changes: Change[]
  /** The transaction is over: leftover work publishes for itself. */
  isOver: boolean
}

/** A change bus that can hold changes back until they are committed. */
export interface HoldingBus extends ChangeBus {
  /** Delivers a change that was read from a log to its listeners. */
  deliver: (change: Change) => void
  /** Runs `work`, and collects its changes in `held` instead of publishing them. */
  hold: <Result>(held: HeldChanges, work: () => Promise<Result>) => Promise<Result>
}

/**
 * Wraps a bus so that the changes of transactions can be held back.
 * @param logOf the log by which changes of a model reach their listeners; undefined where they do so at once
 */
export function holdingBus(bus: ChangeBus, logOf: (model: string) => Pick<ChangeLog, 'touch'> | undefined): HoldingBus {
  const current = new AsyncLocalStorage<HeldChanges>()
  return {
    hasListeners: (model) => bus.hasListeners(model),
    subscribe: (model, listener) => bus.subscribe(model, listener),
    deliver: (change) => bus.publish(change),
    publish(change) {
      const held = current.getStore()
      const log = logOf(change.model)
      if (held !== undefined && !held.isOver) held.changes.push(change)
      else if (log === undefined) bus.publish(change)
      else log.touch()
    },
    hold: (held, work) => current.run(held, work)
  }
}

/**
 * The change bus of a registry.
 * @param onError called with what listeners throw
 */
export function changeBusOf(registry: Pick<Registry, 'find'>, onError: (error: unknown) => void): HoldingBus {
  const bus = localChangeBus(onError, (name) => registry.find(name)?.base?.name)
  return holdingBus(bus, (name) => changeLogOf(registry.find(name)))
}

/**
 * A bus within one process. A listener that throws does not affect others.
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
