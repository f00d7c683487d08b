import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource } from '../../contract/data-source.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { isComposite } from '../../model/composite-key.ts'
import { isPlainObject, makeTurns } from '@modelwire/server'
import { DuplicateKey, ValidationError } from '../../errors.ts'

// What looks for a record before it creates one must not be done by two at once. Where no unique value keeps the second
// record away, a lock of the database does, and in databases without locks the works of a process take turns.

const turns = new WeakMap<DataSource, ReturnType<typeof makeTurns>>()

/** Set for work that has its turn. */
const hasTurn = new AsyncLocalStorage<true>()

function turnsOf(dataSource: DataSource): ReturnType<typeof makeTurns> {
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
 * Runs `work`, which creates a record if none matches `where`, exclusively: in a transaction that holds a lock, or in a
 * queue. Nested work does not wait, since two could wait for each other.
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

/** The result of an operation that creates a record unless there is one. */
export type Overtaken<Inserted, Found> = { readonly inserted: Inserted } | { readonly found: Found }

/**
 * Returns the result of `insert`, or of `find` if a record with the same id or unique value was stored meanwhile:
 * operations that find or create, or update or create, then use that one. Rejects with the error of the insert if nothing
 * is found, or if the database allows nothing more in its transaction.
 */
export async function insertOrFind<Inserted, Found>(
  model: ModelType,
  insert: () => Promise<Inserted>,
  find: () => Promise<Found | undefined>
): Promise<Overtaken<Inserted, Found>> {
  try {
    return { inserted: await insert() }
  } catch (error) {
    const found = isTaken(model, error) ? await find().catch(() => undefined) : undefined
    if (found === undefined) throw error
    return { found }
  }
}

/**
 * The same if `where` has just found nothing: of several concurrent calls one inserts. If the database does not distinguish
 * their records, they run one after the other.
 */
export async function insertOnce<Inserted, Found>(
  model: ModelType,
  where: unknown,
  insert: () => Promise<Inserted>,
  find: () => Promise<Found | undefined>
): Promise<Overtaken<Inserted, Found>> {
  if (namesUnique(model, where)) return insertOrFind(model, insert, find)
  return doAlone(model, where, async () => {
    const found = await find()
    return found === undefined ? insertOrFind(model, insert, find) : { found }
  })
}

/** True where at most one record can match: the database refuses a second one. */
function namesUnique(model: ModelType, where: unknown): boolean {
  if (!isPlainObject(where)) return false
  const isNamed = (name: string): boolean => (where[name] ?? null) !== null && !isPlainObject(where[name])
  if (isComposite(model) && model.keyNames.every(isNamed)) return true
  return Object.keys(where).some((name) => {
    const property = model.byName.get(name)
    const isUnique = (property?.id === true && !isComposite(model)) || property?.unique === true
    return isUnique && isNamed(name)
  })
}

/** The database, or a rule that looked into it, refused a value that a record of this model has already. */
function isTaken({ name }: ModelType, error: unknown): boolean {
  if (error instanceof DuplicateKey) return error.model === name
  if (!(error instanceof ValidationError) || !isPlainObject(error.details)) return false
  const { context, codes } = error.details
  return context === name && isPlainObject(codes) && Object.values(codes).flat().includes('uniqueness')
}
