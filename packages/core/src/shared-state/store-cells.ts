import { type Cells, countIn, type Decide } from './cells.ts'
import { SharedStateUnavailable } from './errors.ts'
import type { SharedStore } from './shared-store.ts'

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

/** Waits until something is over, whatever became of it. */
async function untilOver(work: Promise<unknown> | undefined): Promise<void> {
  if (work !== undefined) await Promise.allSettled([work])
}

/** Makes the function that does works about one key one after the other. */
function makeTurns(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const takeTurn = async (before: Promise<unknown> | undefined) => {
      await untilOver(before)
      return work()
    }
    const turn = takeTurn(last.get(key))
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
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
