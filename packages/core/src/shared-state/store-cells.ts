import { type Cells, countIn, type Decide } from './cells.ts'
import { SharedStateUnavailable } from './errors.ts'
import type { SharedStore } from './shared-store.ts'
import { makeTurns } from '../values/turns.ts'

/** Others can be faster now and then, not every time. */
const mostTries = 100

type Store = Pick<SharedStore, 'read' | 'swap' | 'count'>

async function changeIn<Value, Result>(store: Store, key: string, decide: Decide<Value, Result>): Promise<Result> {
  for (let tries = 0; tries < mostTries; tries++) {
    const text = await store.read(key)
    const value = text === undefined ? undefined : (JSON.parse(text) as Value) // as it was put there
    const { result, next, lifetime = 0 } = decide(value)
    if (next === undefined || (next === null && text === undefined)) return result
    if (await store.swap(key, text, next === null ? undefined : JSON.stringify(next), lifetime)) return result
  }
  throw new SharedStateUnavailable('others changed a shared value each time that this process was about to')
}

/**
 * Makes cells in a store that several processes share. Changes of one key by this process wait for each other, so that no more than
 * one of each process competes.
 */
export function makeStoreCells(store: Store): Cells {
  const inTurn = makeTurns()
  const change: Cells['change'] = (key, decide) => inTurn(key, () => changeIn(store, key, decide))
  return { change, count: (key, window) => store.count?.(key, window) ?? countIn(change, key, window) }
}
