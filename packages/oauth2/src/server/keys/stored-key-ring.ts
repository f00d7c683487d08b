import type { CryptoKey } from 'jose'
import { KeysUnsettled, KeyTooYoung } from '../../errors.ts'
import type { SigningAlgorithm } from '../../options/resource-options.ts'
import type { KeySeal, KeyStore, StoredKey } from './key-store.ts'
import { generateSigningKey, importKey, type KeyRing, makeSign, type RotateOptions, type Sign } from './signing-key.ts'

/** Times of rotation, in seconds. */
interface KeyTimes {
  /** How long a key signs. */
  readonly rotateAfter: number
  /** How long readers may cache the published set. */
  readonly cacheFor: number
  /** How long this process uses what it read. */
  readonly refreshAfter: number
}

/** The settings for creating and storing keys. */
export interface KeySettings {
  readonly store: KeyStore
  readonly seal: KeySeal
  readonly algorithm: SigningAlgorithm
  readonly times: KeyTimes
  readonly now: () => Date
}

/** The keys at a point in time. */
interface KeySet {
  readonly readAt: number
  /** The key that signs. */
  readonly current: StoredKey
  /** The next key to sign. */
  readonly next: StoredKey
  /** Verifying keys: next, current, and earlier ones with live tokens. */
  readonly published: readonly StoredKey[]
}

const attempts = 5

/** Reads the keys, makes those that are missing, and rotates when it is time. Any number of processes may do so at once. */
async function readKeys(settings: KeySettings): Promise<KeySet> {
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
 * Whether verifiers know the next key by now: caches filled just before it was published, by a process that had not noticed
 * it yet, have expired.
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

/** The keys at a point in time, ready for use. */
interface Loaded extends KeySet {
  readonly sign: Sign
  readonly jwks: { readonly keys: readonly object[] }
  readonly verifying: Map<string, CryptoKey>
  /** Milliseconds: the recorded latest expiry of the current key's tokens. */
  tokensUntil: number
}

/** Keys are read again for an unknown id, but not for every made-up one. Milliseconds. */
const coolDown = 5000
/** Milliseconds by which the life of a key's tokens is noted ahead, so that not every signature has to note it. */
const leastAhead = 3_600_000

/** The keys of one process, as it last read them. */
interface KeyLoader {
  /** The keys as of at most `refreshAfter` seconds ago. */
  readonly current: () => Loaded | Promise<Loaded>
  /** The keys as of now. */
  readonly reload: () => Promise<Loaded>
  /** Changes when the keys change. */
  readonly version: () => number
}

function createKeyLoader(settings: KeySettings): KeyLoader {
  const { now, times } = settings
  let version = 0
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined
  const load = async (): Promise<Loaded> => {
    try {
      const set = await readKeys(settings)
      const isSame = loaded !== undefined && sameKeys(loaded, set)
      if (!isSame) version++
      loaded = isSame && loaded !== undefined ? { ...loaded, readAt: set.readAt } : await prepare(set, settings)
      return loaded
    } finally {
      loading = undefined
    }
  }
  const reload = async (): Promise<Loaded> => (loading ??= load())
  const isFresh = (): boolean => loaded !== undefined && now().getTime() - loaded.readAt < times.refreshAfter * 1000
  const current = (): Loaded | Promise<Loaded> => (isFresh() && loaded !== undefined ? loaded : reload())
  return { current, reload, version: () => version }
}

const idsOf = ({ current, published }: KeySet): string => [current, ...published].map(({ kid }) => kid).join(' ')
const sameKeys = (one: KeySet, other: KeySet): boolean => idsOf(one) === idsOf(other)

async function prepare(set: KeySet, { seal }: KeySettings): Promise<Loaded> {
  const { current, published } = set
  const privateJwk = await seal.open(current.kid, current.sealed)
  const [signingKey, ...verifying] = await Promise.all([
    importKey({ ...privateJwk, ext: false }, current.algorithm),
    ...published.map(({ publicJwk, algorithm }) => importKey(publicJwk, algorithm))
  ])
  const byId = published.flatMap(({ kid, algorithm }, index) => {
    const key = verifying[index]
    return key === undefined ? [] : [[nameOf(kid, algorithm), key] as const]
  })
  return {
    ...set,
    sign: makeSign({ kid: current.kid, algorithm: current.algorithm, key: signingKey }),
    jwks: { keys: published.map(({ publicJwk }) => publicJwk) },
    verifying: new Map(byId),
    tokensUntil: current.tokensUntil.getTime()
  }
}

const nameOf = (kid: string, algorithm: string): string => `${algorithm} ${kid}`

/** Sees to it that the key is published for as long as the token lives. */
async function promise(loaded: Loaded, expiry: unknown, { store, now }: KeySettings): Promise<boolean> {
  const until = typeof expiry === 'number' ? expiry * 1000 : 0
  if (until <= loaded.tokensUntil) return true
  const ahead = until + Math.max(until - now().getTime(), leastAhead)
  if (!(await store.extend(loaded.current.generation, new Date(ahead)))) return false
  loaded.tokensUntil = Math.max(loaded.tokensUntil, ahead)
  return true
}

async function rotateKeys(keys: KeyLoader, settings: KeySettings, { compromised }: RotateOptions): Promise<void> {
  const loaded = await keys.reload()
  if (compromised !== true && !isKnown(loaded, settings))
    throw new KeyTooYoung('the next key has not been published for long enough: try again later')
  await settings.store.retire(loaded.current.generation, settings.now())
  if (compromised === true) await settings.store.disown(settings.now())
  await keys.reload()
}

/** The keys that all processes share through a store, which is read on first use. */
export function storedKeyRing(settings: KeySettings): KeyRing {
  const keys = createKeyLoader(settings)
  let { algorithm }: { algorithm: string } = settings
  let reloadedAt = 0
  const find = async (kid: string, wanted: string): Promise<CryptoKey | undefined> => {
    const key = (await keys.current()).verifying.get(nameOf(kid, wanted))
    const now = settings.now().getTime()
    if (key !== undefined || now - reloadedAt < coolDown) return key
    reloadedAt = now
    return (await keys.reload()).verifying.get(nameOf(kid, wanted))
  }
  const sign: KeyRing['sign'] = async (claims, { typ }) => {
    let loaded = await keys.current()
    // Another process retired the key, and its last token is dead: there is a younger one.
    if (!(await promise(loaded, claims['exp'], settings))) loaded = await keys.reload()
    if (!(await promise(loaded, claims['exp'], settings)))
      throw new KeysUnsettled('no signing key remains valid as long as the token')
    algorithm = loaded.current.algorithm
    return loaded.sign(claims, typ)
  }
  return {
    sign,
    find,
    jwks: async () => (await keys.current()).jwks,
    ready: async () => {
      const loaded = await keys.current()
      algorithm = loaded.current.algorithm
    },
    version: keys.version,
    rotate: (options = {}) => rotateKeys(keys, settings, options),
    get algorithm() {
      return algorithm
    }
  }
}
