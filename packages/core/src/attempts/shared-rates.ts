import type { Awaitable } from '../values/awaitable.ts'
import type { Hits } from '../shared-state/shared-store.ts'
import type { SharedState } from '../shared-state/shared-state.ts'

/** What @fastify/rate-limit calls back with: how many requests there were, and milliseconds until they are forgotten. */
type Answer = (error: Error | null, result?: { readonly current: number; readonly ttl: number }) => void

/** What it reads of a route with limits of its own. */
interface Route {
  readonly routeInfo?: { readonly method?: string | readonly string[]; readonly url?: string }
}

/** A store of @fastify/rate-limit. */
export interface RateStore {
  readonly incr: (key: string, answer: Answer, timeWindow: number) => void
  readonly child: (route: object) => RateStore
}

/** Makes such a store. */
export type RateStoreClass = new (options: object) => RateStore

async function tell(hits: Awaitable<Hits>, answer: Answer): Promise<void> {
  try {
    const { count, left } = await hits
    answer(null, { current: count, ttl: left })
  } catch (error) {
    answer(error instanceof Error ? error : new Error(String(error)))
  }
}

/**
 * The options that let @fastify/rate-limit count requests for all processes; none where nothing is shared: its own store counts then.
 * @param scope names what is limited: limits of different scopes do not count together
 */
export function sharedRates(shared: SharedState, scope: string): { readonly store?: RateStoreClass } {
  if (!shared.isShared) return {}
  const makeStore = (place: string): RateStore => ({
    incr: (key, answer, timeWindow) => void tell(shared.cells.count(`rate ${place} ${key}`, timeWindow), answer),
    child: (route) => {
      const { method = '', url = '' } = (route as Route).routeInfo ?? {} // as @fastify/rate-limit hands it over
      return makeStore(`${scope} ${[method].flat().join()} ${url}`)
    }
  })
  function Store(this: unknown): RateStore {
    return makeStore(scope)
  }
  return { store: Store as unknown as RateStoreClass } // called with `new`, a function gives the object that it returns
}
