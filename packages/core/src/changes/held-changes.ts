import { AsyncLocalStorage } from 'node:async_hooks'
import type { Change, ChangeBus } from '../contract/change-bus.ts'
import type { ChangeLog } from '../contract/change-log.ts'
import type { Registry } from '../contract/registry.ts'
import { localChangeBus } from './change-bus.ts'
import { changeLogOf } from './change-log-of.ts'

/** Changes of a transaction that is not committed yet. */
export interface HeldChanges {
  readonly changes: Change[]
  /** Work that a transaction left behind speaks for itself. */
  isOver: boolean
}

/** A bus that can keep changes back until they are committed. */
export interface HoldingBus extends ChangeBus {
  /** Carries a change that was read from a log to its listeners. */
  deliver: (change: Change) => void
  /** Runs `work`, and collects what it publishes in `held` instead of publishing it. */
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

/** The bus of a registry. @param onError called with what listeners throw */
export function changeBusOf(registry: Pick<Registry, 'find'>, onError: (error: unknown) => void): HoldingBus {
  const bus = localChangeBus(onError, (name) => registry.find(name)?.base?.name)
  return holdingBus(bus, (name) => changeLogOf(registry.find(name)))
}
