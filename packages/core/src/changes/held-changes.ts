import { AsyncLocalStorage } from 'node:async_hooks'
import type { Change, ChangeBus } from '../contract/change-bus.ts'

/** Changes of a transaction that is not committed yet. */
export interface HeldChanges {
  readonly changes: Change[]
  /** Work that a transaction left behind speaks for itself. */
  isOver: boolean
}

/** A bus that can keep changes back until they are committed. */
export interface HoldingBus extends ChangeBus {
  /** Runs `work`, and collects what it publishes in `held` instead of publishing it. */
  hold: <Result>(held: HeldChanges, work: () => Promise<Result>) => Promise<Result>
}

/** Wraps a bus so that the changes of transactions can be held back. */
export function holdingBus(bus: ChangeBus): HoldingBus {
  const current = new AsyncLocalStorage<HeldChanges>()
  return {
    hasListeners: (model) => bus.hasListeners(model),
    subscribe: (model, listener) => bus.subscribe(model, listener),
    publish(change) {
      const held = current.getStore()
      if (held === undefined || held.isOver) bus.publish(change)
      else held.changes.push(change)
    },
    hold: (held, work) => current.run(held, work)
  }
}
