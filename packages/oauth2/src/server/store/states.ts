import { DuplicateKey, type ModelRegistry } from '@modelwire/core'
import type { SharedState } from '@modelwire/server'
import { dateOf, recordOf, textOf } from './records.ts'
import { hashToken } from './secrets.ts'

type SharedFacts = NonNullable<SharedState['facts']>

/** A row of {@link StateStore}. */
export interface StateRow<Data = unknown> {
  readonly data: Data
  /** Compared by `change`: `new` for an unchanged row. */
  readonly state: string
  readonly expiresAt: Date
}

/**
 * Short-lived rows that change by one conditional update: consent transactions, device codes, ids of used assertions, ended
 * sessions. Keys are hashed; `data` is JSON and contains no secrets.
 */
export interface StateStore {
  /** Stores a row; false if the key already exists for this kind. */
  add(kind: string, key: string, data: unknown, expiresAt: Date): Promise<boolean>
  /** The row, unless it has expired. */
  read(kind: string, key: string): Promise<StateRow | undefined>
  /**
   * Sets state (and data, if provided) if the row is in state `from` and has not expired; true for only one of
   * concurrent callers.
   */
  change(kind: string, key: string, from: string, to: string, data?: unknown): Promise<boolean>
  remove(kind: string, key: string): Promise<void>
}

const model = 'OAuthState'

const idOf = (kind: string, key: string): string => `${kind}:${hashToken(key)}`

/** The stored part of a row. */
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
function factStates(facts: SharedFacts): StateStore {
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

/**
 * Makes the store of short-lived rows: in the shared state of the application if it stores facts, else on the model
 * `OAuthState`.
 */
export function makeStateStore(registry: ModelRegistry): StateStore {
  const { facts } = registry.shared
  return facts === undefined ? modelStates(registry) : factStates(facts)
}

function modelStates(registry: ModelRegistry): StateStore {
  const states = () => registry.get(model)
  return {
    async add(kind, key, data, expiresAt) {
      const row = { id: idOf(kind, key), kind, data: JSON.stringify(data ?? null), state: 'new', expiredAt: expiresAt }
      try {
        await states().create(row)
        return true
      } catch (error) {
        if (error instanceof DuplicateKey) return false
        throw error
      }
    },
    async read(kind, key) {
      const found = await states().findById(idOf(kind, key))
      return found === null ? undefined : readRow(recordOf(found))
    },
    async change(kind, key, from, to, data) {
      const where = { id: idOf(kind, key), state: from, expiredAt: { gt: new Date() } }
      const patch = { state: to, ...(data === undefined ? {} : { data: JSON.stringify(data) }) }
      return (await states().updateAll(where, patch)).count === 1
    },
    async remove(kind, key) {
      await states().destroyAll({ id: idOf(kind, key) })
    }
  }
}

function readRow(record: Readonly<Record<string, unknown>>): StateRow | undefined {
  const expiresAt = dateOf(record, 'expiredAt')
  if (expiresAt === undefined || expiresAt.getTime() <= Date.now()) return undefined
  const data: unknown = JSON.parse(textOf(record, 'data') ?? 'null')
  return { data, state: textOf(record, 'state') ?? '', expiresAt }
}
