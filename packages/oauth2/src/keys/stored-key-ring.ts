import type { CryptoKey } from 'jose'
import { KeysUnsettled, KeyTooYoung } from './key-errors.ts'
import type { KeyRing, RotateOptions } from './key-ring.ts'
import { isKnown, type KeySet, type KeySettings, readKeys } from './read-keys.ts'
import { makeSign, type Sign } from './make-sign.ts'
import { importKey } from './signing-key.ts'

/** The keys at one moment, ready for use. */
interface Loaded extends KeySet {
  readonly sign: Sign
  readonly jwks: { readonly keys: readonly object[] }
  readonly verifying: Map<string, CryptoKey>
  /** Milliseconds: how long tokens of the current key are known to live. */
  tokensUntil: number
}

/** Keys are read again for an unknown id, but not for every made-up one. Milliseconds. */
const coolDown = 5000
/** Milliseconds by which the life of a key's tokens is noted ahead, so that not every signature has to note it. */
const leastAhead = 3_600_000

/** The keys of one process, as it last read them. */
interface KeyLoader {
  /** As they were at most `refreshAfter` seconds ago. */
  readonly current: () => Loaded | Promise<Loaded>
  /** As they are now. */
  readonly reload: () => Promise<Loaded>
  /** Another number when the keys are others. */
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

/** The keys that all processes share through a store, which is read when a key is first needed. */
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
      throw new KeysUnsettled('no signing key is valid as long as the token')
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
