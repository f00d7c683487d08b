import { hkdfSync } from 'node:crypto'
import { DuplicateKey, type ModelDefinition } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { type JWK, compactDecrypt, CompactEncrypt } from 'jose'
import { SigningKeyInvalid, SigningKeySealed } from '../../errors.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../../options/resource-options.ts'

/** Signing keys, which all processes share. Private parts are encrypted with a secret that is not in the database. */
export const signingKeyModel: ModelDefinition = {
  name: 'OAuthSigningKey',
  base: 'PersistedModel',
  public: false,
  forceId: false,
  properties: {
    id: { type: 'number', id: true, generated: false, description: 'generation: 1, 2, 3, …' },
    kid: { type: 'string', length: 64 },
    algorithm: { type: 'string', length: 16 },
    publicKey: { type: 'text', description: 'JWK' },
    privateKey: { type: 'text', description: 'encrypted JWK' },
    publishedAt: 'date',
    retiredAt: 'date',
    tokensUntil: { type: 'date', description: 'tokens that the key signed have expired by then' }
  },
  hidden: ['privateKey']
}

/** A stored signing key. Keys succeed each other by generation. */
export interface StoredKey {
  /** 1, 2, 3, …; the lowest one that is not retired signs, the following one is the next. */
  readonly generation: number
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly publicJwk: JWK
  /** The private part, encrypted. */
  readonly sealed: string
  readonly publishedAt: Date
  readonly retiredAt: Date | undefined
  /** Tokens that it signed expire by then at the latest. */
  readonly tokensUntil: Date
}

/** The signing keys that several processes share. Each function is atomic by itself. */
export interface KeyStore {
  /** All keys by generation. */
  readonly read: () => Promise<readonly StoredKey[]>
  /** Stores a key; false if one of this generation exists. */
  readonly add: (key: StoredKey) => Promise<boolean>
  /** Retires the signing key; false if it is already retired. */
  readonly retire: (generation: number, at: Date) => Promise<boolean>
  /** Records that tokens of a key live until `until`; false if the key no longer exists. */
  readonly extend: (generation: number, until: Date) => Promise<boolean>
  /** Removes retired keys, of this generation and older ones, whose last token has expired at `now`. */
  readonly forget: (generation: number, now: Date) => Promise<void>
  /** Declares all tokens of retired keys expired. */
  readonly disown: (now: Date) => Promise<void>
}

type Record = Readonly<{ [property: string]: unknown }>

const isAlgorithm = (value: unknown): value is SigningAlgorithm => signingAlgorithms.some((name) => name === value)

/** @throws {SigningKeyInvalid} the row was not written by this package */
function readKey(row: Record): StoredKey {
  const { id, kid, algorithm, publicKey, privateKey, publishedAt, retiredAt, tokensUntil } = row
  const isWhole =
    typeof kid === 'string' &&
    typeof publicKey === 'string' &&
    typeof privateKey === 'string' &&
    publishedAt instanceof Date &&
    tokensUntil instanceof Date
  if (!isWhole || !isAlgorithm(algorithm))
    throw new SigningKeyInvalid(`the stored signing key ${String(id)} is incomplete`, { model: 'OAuthSigningKey' })
  return {
    generation: Number(id),
    kid,
    algorithm,
    publicJwk: JSON.parse(publicKey) as JWK, // written by `add` below
    sealed: privateKey,
    publishedAt,
    retiredAt: retiredAt instanceof Date ? retiredAt : undefined,
    tokensUntil
  }
}

const rowOf = ({ generation, kid, algorithm, publicJwk, sealed, publishedAt, tokensUntil }: StoredKey): object => ({
  id: generation,
  kid,
  algorithm,
  publicKey: JSON.stringify(publicJwk),
  privateKey: sealed,
  publishedAt,
  retiredAt: null,
  tokensUntil
})

async function add(model: ModelType, key: StoredKey): Promise<boolean> {
  try {
    await repository.create(model, rowOf(key), serverCall())
    return true
  } catch (error) {
    if (error instanceof DuplicateKey) return false
    throw error
  }
}

/** Tokens of a key that is dead cannot be promised a longer life. */
async function extend(model: ModelType, generation: number, until: Date): Promise<boolean> {
  const alive = { id: generation, or: [{ retiredAt: null }, { tokensUntil: { gt: new Date() } }] }
  const shorter = { and: [alive, { tokensUntil: { lt: until } }] }
  const { count } = await repository.updateAll(model, shorter, { tokensUntil: until }, serverCall())
  return count > 0 || (await repository.count(model, alive, serverCall())) > 0
}

/** Makes a key store on a model: every connector supports the conditional updates that rotation needs. */
export function modelKeyStore(model: ModelType): KeyStore {
  const retired = { retiredAt: { neq: null } }
  return {
    read: async () => {
      const rows = await repository.find(model, { order: 'id ASC' }, serverCall())
      return rows.map((row) => readKey(row))
    },
    add: (key) => add(model, key),
    retire: async (generation, at) => {
      const { count } = await repository.updateAll(
        model,
        { id: generation, retiredAt: null },
        { retiredAt: at },
        serverCall()
      )
      return count > 0
    },
    extend: (generation, until) => extend(model, generation, until),
    forget: async (generation, now) => {
      await repository.destroyAll(
        model,
        { and: [retired, { id: { lte: generation } }, { tokensUntil: { lt: now } }] },
        serverCall()
      )
    },
    disown: async (now) => {
      await repository.updateAll(
        model,
        { and: [retired, { tokensUntil: { gt: now } }] },
        { tokensUntil: now },
        serverCall()
      )
    }
  }
}

/** Encrypts private keys for the table, and decrypts them. */
export interface KeySeal {
  readonly close: (kid: string, privateJwk: JWK) => Promise<string>
  /** @throws {SigningKeySealed} none of the secrets opens it, or it belongs to another key */
  readonly open: (kid: string, sealed: string) => Promise<JWK>
}

/** A key that serves nothing else, whatever else the secret is used for. */
function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'modelwire oauth2 signing keys', 32))
}

/**
 * Encrypts keys with AES-256-GCM (JWE, `dir`).
 * @param secrets the first one encrypts, all of them decrypt: so that a secret can be replaced
 */
export function createKeySeal(secrets: readonly [string, ...string[]]): KeySeal {
  const [first, ...others] = secrets
  const current = keyOf(first)
  const all = [current, ...others.map(keyOf)]
  const open = async (kid: string, sealed: string): Promise<JWK> => {
    for (const key of all) {
      const opened = await tryOpen(key, sealed)
      // A row with the key of another row is not opened.
      if (opened?.kid === kid) return opened.jwk
    }
    throw new SigningKeySealed('a stored signing key cannot be decrypted: has `keys.secret` changed?', {})
  }
  return {
    close: async (kid, privateJwk) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(privateJwk)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
        .encrypt(current),
    open
  }
}

async function tryOpen(key: Uint8Array, sealed: string): Promise<{ kid: unknown; jwk: JWK } | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM']
    })
    const jwk: unknown = JSON.parse(new TextDecoder().decode(plaintext))
    return { kid: protectedHeader.kid, jwk: jwk as JWK } // only this module encrypts with the key
  } catch {
    // Another secret may fit; the caller throws when none does.
    return undefined
  }
}
