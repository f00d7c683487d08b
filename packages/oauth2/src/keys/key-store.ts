import type { JWK } from 'jose'
import type { SigningAlgorithm } from './signing-algorithms.ts'

/** A signing key as it is stored. Keys follow each other by generation. */
export interface StoredKey {
  /** 1, 2, 3, …; the lowest one that is not retired signs, the one after it is the next. */
  readonly generation: number
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly publicJwk: JWK
  /** The private part, encrypted. */
  readonly sealed: string
  readonly publishedAt: Date
  readonly retiredAt: Date | undefined
  /** Tokens that it signed live until then at most. */
  readonly tokensUntil: Date
}

/** The signing keys that several processes share. Each function is atomic by itself. */
export interface KeyStore {
  /** All keys by generation. */
  readonly read: () => Promise<readonly StoredKey[]>
  /** Stores a key; false when there is one of this generation. */
  readonly add: (key: StoredKey) => Promise<boolean>
  /** Retires the key that signs; false when it is retired. */
  readonly retire: (generation: number, at: Date) => Promise<boolean>
  /** Notes that tokens of a key live until `until`; false when the key is gone. */
  readonly extend: (generation: number, until: Date) => Promise<boolean>
  /** Forgets retired keys, of this generation and older ones, whose last token is dead at `now`. */
  readonly forget: (generation: number, now: Date) => Promise<void>
  /** Declares all tokens of retired keys dead. */
  readonly disown: (now: Date) => Promise<void>
}
