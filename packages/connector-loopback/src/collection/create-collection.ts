import { type Collection, throwIfLeft, untilLeft, type ModelType } from '@modelwire/core/connector'
import { type Awaitable, isPlainObject } from '@modelwire/server'
import type { CollectionContext } from './context.ts'
import { insertRows, deleteRows, replaceRow, updateRows, upsertRow } from './write-rows.ts'
import { countRowsOf, findRow, findRows } from './read-rows.ts'
import { familyOf } from '../family.ts'
import { type Driver, partOf } from '../juggler/driver.ts'

// LB3: the settings that connectors read a column's name from; SqlConnector.getColumnName, MongoDB.getDatabaseColumnName.
const settings = ['field', 'fieldName', 'column', 'columnName'] as const

type ReadOptions = NonNullable<Parameters<Collection['find']>[1]>

/**
 * Makes the function that carries out a read. A caller who leaves is refused at once: connectors cannot be told, so their call
 * goes on, but nothing is made of what it gives. A read that belongs to a transaction goes on.
 */
function reader(context: () => Awaitable<CollectionContext>) {
  return async <Result>(
    { signal }: ReadOptions,
    read: (context: CollectionContext) => Promise<Result>
  ): Promise<Result> => {
    const own = await context()
    if (signal === undefined || own.isInTransaction()) return read(own)
    const call: CollectionContext['call'] = async (...args) => {
      throwIfLeft(signal)
      const results = await own.call(...args)
      throwIfLeft(signal)
      return results
    }
    return untilLeft(signal, () => read({ ...own, call }))
  }
}

/** Creates the collection of one model on a LoopBack connector. `context` resolves when the connector is connected. */
export function createCollection(context: () => Awaitable<CollectionContext>): Collection {
  const perform = reader(context)
  return {
    find: async (filter, options = {}) => perform(options, (own) => findRows(own, filter)),
    findById: async (id, options = {}) => perform(options, (own) => findRow(own, id)),
    count: async (where, options = {}) => perform(options, (own) => countRowsOf(own, where)),
    insert: async (rows) => insertRows(await context(), rows),
    update: async (where, patch) => updateRows(await context(), where, patch),
    upsert: async (row, defaults) => upsertRow(await context(), row, { ...row, ...defaults }),
    replace: async (id, row, where) => replaceRow(await context(), id, row, where),
    delete: async (where) => deleteRows(await context(), where)
  }
}

/** The names under which a connector stores properties of a model, if they differ from all property names. */
export function storedNames(driver: Driver, model: ModelType): ReadonlySet<string> {
  // A table has no columns for undeclared names.
  if (familyOf(driver) === 'relational') return new Set()
  const connector = String(partOf(driver, 'name'))
  const names = model.properties.flatMap(({ definition }) => [
    ...namesIn(definition),
    ...namesIn(partOf(definition, connector))
  ])
  if (familyOf(driver) === 'mongodb' && model.idProperty !== undefined) names.push('_id')
  return new Set(names.filter((name) => !model.byName.has(name)))
}

function namesIn(mapping: unknown): readonly string[] {
  if (!isPlainObject(mapping)) return []
  return settings.map((setting) => mapping[setting]).filter((name) => typeof name === 'string')
}
