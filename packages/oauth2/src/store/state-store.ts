import { DuplicateKey, type ModelRegistry } from '@modelwire/core'
import { factStates } from './fact-states.ts'
import { hashToken } from './hash-token.ts'
import type { StateRow, StateStore } from '../seams.ts'
import { dateOf, recordOf, textOf } from './record-of.ts'

const model = 'OAuthState'
const idOf = (kind: string, key: string): string => `${kind}:${hashToken(key)}`

/** Makes the store of small facts: in the shared state of the application where that keeps facts, else on the model `OAuthState`. */
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
