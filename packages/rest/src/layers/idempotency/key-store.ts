import { createHash } from 'node:crypto'
import { DuplicateKey, type ModelRegistry, type ModelDefinition } from '@modelwire/core'
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../../errors.ts'
import { attachModels } from '@modelwire/core/plugin'
import type { SharedState } from '@modelwire/server'

type SharedFacts = NonNullable<SharedState['facts']>

/** The stored state of a request with a key. */
interface KeptAnswer {
  readonly fingerprint: string
  /** Absent while the request is being executed. */
  readonly status?: number | null
  readonly headers?: Readonly<Record<string, string>> | null
  readonly body?: string | null
  /** The records that the body shows, as JSON: when the response is repeated, what the caller may no longer see is removed. */
  readonly shown?: string | null
  /** The response contained a secret, or was too long: only its status is kept. */
  readonly withheld?: boolean | null
  readonly expiresAt: Date
}

/** The name of the model that keeps keys with their answers. */
const keyModelName = 'IdempotencyKey'

/** The id is made of the key and its caller: of requests with one key, one can store it. */
const keyModel: ModelDefinition = {
  name: keyModelName,
  forceId: false,
  properties: {
    id: { type: 'string', id: true, length: 64 },
    fingerprint: { type: 'string', length: 64, required: true },
    status: 'number',
    headers: 'object',
    body: { type: 'string', mysql: { dataType: 'longtext' } },
    shown: { type: 'string', mysql: { dataType: 'longtext' } },
    withheld: 'boolean',
    expiresAt: { type: 'date', required: true, index: true }
  }
}

type Stored = Omit<KeptAnswer, 'expiresAt'>

const keyOf = (id: string): string => `idempotency ${id}`

/** A digest of several strings, without ambiguity between them. */
export const digest = (...texts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex')

/** The stored part of a request. */
export type Answered = Omit<KeptAnswer, 'expiresAt'>

/** How long keys are kept, in seconds. */
export interface KeyTimes {
  /** With their responses. */
  readonly keep: number
  /** While the request is being executed: after that it counts as aborted. */
  readonly lock: number
}

/** Stores keys with the responses to their requests. */
export interface KeyStore {
  /**
   * Claims a key for a request; returns the response if there already is one.
   * @throws {IdempotencyKeyInUse} a request with it is in progress
   * @throws {IdempotencyKeyReused} it belongs to another request
   */
  readonly claim: (id: string, fingerprint: string) => Promise<Answered | undefined>
  readonly keep: (id: string, answer: Omit<Answered, 'fingerprint'>) => Promise<void>
  /** Releases a key whose request had no effect. */
  readonly release: (id: string) => Promise<void>
}

/**
 * The stored response, for the same request again.
 * @throws {IdempotencyKeyReused} it belongs to another request
 * @throws {IdempotencyKeyInUse} there is no answer yet
 */
export function answerOf(kept: Answered, fingerprint: string): Answered {
  if (kept.fingerprint !== fingerprint)
    throw new IdempotencyKeyReused('this Idempotency-Key was sent with another request: use a new one')
  if (typeof kept.status !== 'number')
    throw new IdempotencyKeyInUse('a request with this Idempotency-Key is in progress: try again later')
  return kept
}

const after = (seconds: number): Date => new Date(Date.now() + seconds * 1000)

const keysOf = (registry: ModelRegistry) => registry.get(keyModelName)

/** Makes a store on the model of keys. */
function createKeyStore(registry: ModelRegistry, { keep, lock }: KeyTimes): KeyStore {
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

/**
 * Opens the store of an application: in the shared state, if that stores facts, else in a model.
 * @param dataSource of the model; the only one when absent
 */
export function openKeyStore(
  registry: ModelRegistry,
  { dataSource, ...times }: KeyTimes & { readonly dataSource?: string | undefined }
): KeyStore {
  const { facts } = registry.shared
  if (facts !== undefined) return createFactStore(facts, times)
  if (registry.find(keyModelName) === undefined) registry.define(keyModel)
  attachModels(registry, [keyModelName], dataSource)
  registry.addPurge({
    name: 'idempotency keys',
    run: () => keysOf(registry).destroyAll({ expiresAt: { lt: new Date() } })
  })
  return createKeyStore(registry, times)
}
