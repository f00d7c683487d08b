import type { SharedFacts } from '@modelwire/core/plugin'
import { IdempotencyKeyInUse } from './errors.ts'
import type { KeptAnswer } from './key-model.ts'
import { answerOf, type KeyStore, type KeyTimes } from './key-store.ts'

type Stored = Omit<KeptAnswer, 'expiresAt'>

const keyOf = (id: string): string => `idempotency ${id}`

async function find(facts: SharedFacts, id: string): Promise<{ text: string; stored: Stored } | undefined> {
  const text = await facts.read(keyOf(id))
  return text === undefined ? undefined : { text, stored: JSON.parse(text) as Stored } // as it was written below
}

/** Replaces what is kept of a key, or removes it; nothing where its time is over. */
async function replace(
  facts: SharedFacts,
  id: string,
  next: (stored: Stored) => Stored | undefined,
  seconds: number
): Promise<void> {
  for (;;) {
    const found = await find(facts, id)
    if (found === undefined) return
    const wanted = next(found.stored)
    const text = wanted === undefined ? undefined : JSON.stringify(wanted)
    if (await facts.swap(keyOf(id), found.text, text, seconds * 1000)) return
  }
}

/** Makes a store of keys in the shared state of the application. */
export function createFactStore(facts: SharedFacts, { keep, lock }: KeyTimes): KeyStore {
  const claimNew = (id: string, fingerprint: string): Promise<boolean> =>
    facts.swap(keyOf(id), undefined, JSON.stringify({ fingerprint }), lock * 1000)
  return {
    async claim(id, fingerprint) {
      if (await claimNew(id, fingerprint)) return undefined
      const found = await find(facts, id)
      if (found !== undefined) return answerOf(found.stored, fingerprint)
      if (await claimNew(id, fingerprint)) return undefined
      throw new IdempotencyKeyInUse('another request with this Idempotency-Key came first: try again later')
    },
    keep: (id, answer) => replace(facts, id, (stored) => ({ ...stored, ...answer }), keep),
    release: (id) => replace(facts, id, () => undefined, 0)
  }
}
