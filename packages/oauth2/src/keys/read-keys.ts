import { KeysUnsettled } from './key-errors.ts'
import type { KeyStore, StoredKey } from './key-store.ts'
import type { KeySeal } from './seal-key.ts'
import type { SigningAlgorithm } from './signing-algorithms.ts'
import { generateSigningKey } from './signing-key.ts'

/** Times of rotation, in seconds. */
export interface KeyTimes {
  /** How long a key signs. */
  readonly rotateAfter: number
  /** How long the published set may be kept by those who read it. */
  readonly cacheFor: number
  /** How long this process goes by what it read. */
  readonly refreshAfter: number
}

/** What keys are made and kept with. */
export interface KeySettings {
  readonly store: KeyStore
  readonly seal: KeySeal
  readonly algorithm: SigningAlgorithm
  readonly times: KeyTimes
  readonly now: () => Date
}

/** The keys at one moment. */
export interface KeySet {
  readonly readAt: number
  /** It signs. */
  readonly current: StoredKey
  /** It will sign. */
  readonly next: StoredKey
  /** Those that verify: next, current, and earlier ones with live tokens. */
  readonly published: readonly StoredKey[]
}

const attempts = 5

/** Reads the keys, makes those that are missing, and rotates when it is time. Any number of processes may do so at once. */
export async function readKeys(settings: KeySettings): Promise<KeySet> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const keys = await settings.store.read()
    const set = asSet(keys, settings)
    if (set === undefined) await addKey(keys, settings)
    else if (isDue(keys, set, settings)) await settings.store.retire(set.current.generation, settings.now())
    else return finish(set, settings)
  }
  throw new KeysUnsettled('signing keys change faster than they can be read')
}

function asSet(keys: readonly StoredKey[], { now }: KeySettings): KeySet | undefined {
  const [current, next] = keys.filter(({ retiredAt }) => retiredAt === undefined)
  if (current === undefined || next === undefined) return undefined
  const readAt = now().getTime()
  const isLive = ({ retiredAt, tokensUntil }: StoredKey): boolean =>
    retiredAt === undefined || tokensUntil.getTime() > readAt
  return { readAt, current, next, published: keys.filter(isLive) }
}

/** Another process may be quicker: then its key is read afterwards. */
async function addKey(keys: readonly StoredKey[], { store, seal, algorithm, now }: KeySettings): Promise<void> {
  const { kid, publicJwk, privateJwk } = await generateSigningKey(algorithm)
  const at = now()
  await store.add({
    generation: (keys.at(-1)?.generation ?? 0) + 1,
    kid,
    algorithm,
    publicJwk,
    sealed: await seal.close(kid, privateJwk),
    publishedAt: at,
    retiredAt: undefined,
    tokensUntil: at
  })
}

/**
 * Verifiers know the next key by now: caches that were filled just before it was published, by a process that had not
 * noticed it yet, are empty.
 */
export function isKnown({ next }: KeySet, { times, now }: KeySettings): boolean {
  return now().getTime() - next.publishedAt.getTime() >= (times.cacheFor + times.refreshAfter) * 1000
}

function isDue(keys: readonly StoredKey[], set: KeySet, settings: KeySettings): boolean {
  const { current } = set
  const before = keys.find(({ generation }) => generation === current.generation - 1)
  const since = (before?.retiredAt ?? current.publishedAt).getTime()
  const isOld = settings.now().getTime() - since >= settings.times.rotateAfter * 1000
  // Another algorithm was chosen: the next key, or the one after it, has it.
  return (isOld || current.algorithm !== settings.algorithm) && isKnown(set, settings)
}

async function finish(set: KeySet, { store, now }: KeySettings): Promise<KeySet> {
  // The key before the current one holds the time since when that one signs: it is kept.
  await store.forget(set.current.generation - 2, now())
  return set
}
