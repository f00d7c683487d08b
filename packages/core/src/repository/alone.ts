import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource } from '../contract/data-source.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { makeTurns, type TakeTurns } from '../values/turns.ts'

// What looks for a record before it creates one must not be done by two at once. Where no unique value keeps the second
// record away, a lock of the database does, and in databases without locks the works of a process take turns.

const turns = new WeakMap<DataSource, TakeTurns>()

/** Set for work that has its turn. */
const hasTurn = new AsyncLocalStorage<true>()

function turnsOf(dataSource: DataSource): TakeTurns {
  const made = turns.get(dataSource) ?? makeTurns()
  turns.set(dataSource, made)
  return made
}

/** The same text for conditions that differ in the order of their properties, or in the types of their values. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  if (value instanceof Date) return JSON.stringify(value)
  if (!isPlainObject(value)) return JSON.stringify(String(value))
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${keyOf(item)}`)
  return `{${members.toSorted().join()}}`
}

/**
 * Does `work`, which creates a record where none matches `where`, while nobody else does so: in a transaction that holds a lock,
 * or in its turn. Work within work that has its turn does not wait, since two could wait for each other.
 */
export async function doAlone<Result>(model: ModelType, where: unknown, work: () => Promise<Result>): Promise<Result> {
  const { dataSource, registry } = model
  if (dataSource === undefined) return work()
  const { connector, name } = dataSource
  const key = `${model.name} ${keyOf(where)}`
  if (connector.lock !== undefined && connector.capabilities.transactions)
    return registry.transaction(
      async () => {
        await connector.lock?.([key])
        return work()
      },
      { dataSource: name }
    )
  if (hasTurn.getStore() === true) return work()
  return turnsOf(dataSource)(key, () => hasTurn.run(true, work))
}
