import { DuplicateKey } from '@modelwire/core'
import { type ModelType, repository, serverCall } from '@modelwire/core/plugin'
import type { JWK } from 'jose'
import { SigningKeyInvalid } from './key-errors.ts'
import type { KeyStore, StoredKey } from './key-store.ts'
import { type SigningAlgorithm, signingAlgorithms } from './signing-algorithms.ts'

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
    throw new SigningKeyInvalid(`the stored signing key ${String(id)} is not whole`, { model: 'OAuthSigningKey' })
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

/** Keeps signing keys in a model: every connector carries out the conditional updates that rotation needs. */
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
