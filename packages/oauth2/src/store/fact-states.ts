import type { SharedFacts } from '@modelwire/core/plugin'
import type { StateStore } from '../seams.ts'
import { hashToken } from './hash-token.ts'

/** What is stored of a row. */
interface Stored {
  readonly data: unknown
  readonly state: string
  /** Milliseconds since 1970. */
  readonly until: number
}

const keyOf = (kind: string, key: string): string => `oauth ${kind}:${hashToken(key)}`

/** A stored row with the text that it is; undefined where there is none, or where it has expired. */
async function find(
  facts: SharedFacts,
  key: string
): Promise<{ readonly text: string; readonly stored: Stored } | undefined> {
  const text = await facts.read(key)
  if (text === undefined) return undefined
  const stored = JSON.parse(text) as Stored // as it was written below
  return stored.until > Date.now() ? { text, stored } : undefined
}

/** Replaces a row as often as it takes: others may change its data meanwhile. `next` gives undefined to leave it. */
async function replace(
  facts: SharedFacts,
  key: string,
  next: (stored: Stored) => Stored | 'removed' | undefined
): Promise<boolean> {
  for (;;) {
    const found = await find(facts, key)
    const wanted = found === undefined ? undefined : next(found.stored)
    if (found === undefined || wanted === undefined) return false
    const text = wanted === 'removed' ? undefined : JSON.stringify(wanted)
    if (await facts.swap(key, found.text, text, found.stored.until - Date.now())) return true
  }
}

/** Makes the store of small facts in the shared state of the application. */
export function factStates(facts: SharedFacts): StateStore {
  return {
    add: (kind, key, data, expiresAt) => {
      const stored: Stored = { data: data ?? null, state: 'new', until: expiresAt.getTime() }
      return facts.swap(keyOf(kind, key), undefined, JSON.stringify(stored), stored.until - Date.now())
    },
    async read(kind, key) {
      const found = await find(facts, keyOf(kind, key))
      if (found === undefined) return undefined
      const { data, state, until } = found.stored
      return { data, state, expiresAt: new Date(until) }
    },
    change: (kind, key, from, to, data) =>
      replace(facts, keyOf(kind, key), (stored) =>
        stored.state === from ? { ...stored, state: to, ...(data === undefined ? {} : { data }) } : undefined
      ),
    async remove(kind, key) {
      await replace(facts, keyOf(kind, key), () => 'removed')
    }
  }
}
