import { createHash } from 'node:crypto'
import { DuplicateKey, type ModelRegistry } from '@modelwire/core'
import { IdempotencyKeyInUse, IdempotencyKeyReused } from './errors.ts'
import { type KeptAnswer, keyModelName } from './key-model.ts'

/** A digest of several texts, which none of them can imitate another of. */
export const digest = (...texts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex')

/** What is kept of a request. */
export type Answered = Omit<KeptAnswer, 'expiresAt'>

/** How long keys are kept, in seconds. */
export interface KeyTimes {
  /** With their answers. */
  readonly keep: number
  /** While the request is being carried out: after that it is taken for broken off. */
  readonly lock: number
}

/** Keeps keys with the answers to their requests. */
export interface KeyStore {
  /**
   * Takes a key for a request; the answer, where it was given before.
   * @throws {IdempotencyKeyInUse} a request with it is being carried out
   * @throws {IdempotencyKeyReused} it belongs to another request
   */
  readonly claim: (id: string, fingerprint: string) => Promise<Answered | undefined>
  readonly keep: (id: string, answer: Omit<Answered, 'fingerprint'>) => Promise<void>
  /** Gives a key back whose request came to nothing. */
  readonly release: (id: string) => Promise<void>
}

/**
 * The answer that is kept, for the same request again.
 * @throws {IdempotencyKeyReused} it belongs to another request
 * @throws {IdempotencyKeyInUse} there is no answer yet
 */
export function answerOf(kept: Answered, fingerprint: string): Answered {
  if (kept.fingerprint !== fingerprint)
    throw new IdempotencyKeyReused('this Idempotency-Key was sent with another request: take a new one')
  if (typeof kept.status !== 'number')
    throw new IdempotencyKeyInUse('a request with this Idempotency-Key is being carried out: try again later')
  return kept
}

const after = (seconds: number): Date => new Date(Date.now() + seconds * 1000)

const keysOf = (registry: ModelRegistry) => registry.get(keyModelName)

/** Makes a store on the model of keys. */
export function createKeyStore(registry: ModelRegistry, { keep, lock }: KeyTimes): KeyStore {
  const keys = () => keysOf(registry)
  const insert = async (id: string, fingerprint: string): Promise<boolean> => {
    try {
      await keys().create({ id, fingerprint, expiresAt: after(lock) })
      return true
    } catch (error) {
      if (error instanceof DuplicateKey) return false
      throw error
    }
  }
  return {
    async claim(id, fingerprint) {
      if (await insert(id, fingerprint)) return undefined
      // One that has expired makes room; of those who find it so, one gets it.
      await keys().destroyAll({ id, expiresAt: { lt: new Date() } })
      const kept = await keys().findById(id)
      if (kept !== null) return answerOf(kept as unknown as KeptAnswer, fingerprint) // rows of the model above
      if (await insert(id, fingerprint)) return undefined
      throw new IdempotencyKeyInUse('another request with this Idempotency-Key came first: try again later')
    },
    async keep(id, answer) {
      await keys().updateAll({ id }, { ...answer, expiresAt: after(keep) })
    },
    async release(id) {
      await keys().destroyAll({ id })
    }
  }
}

/** Removes the keys whose time is over. */
export async function purgeKeys(registry: ModelRegistry): Promise<void> {
  await keysOf(registry).destroyAll({ expiresAt: { lt: new Date() } })
}
