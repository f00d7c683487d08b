import { type Collection, type Row, isAccessModel, type ModelType } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { UndeclaredNotStored } from '../errors.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { undeclaredOf } from '../table/undeclared.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import { createFindRelated } from '../find/find-related.ts'
import type { Runners } from '../hosts/create-runners.ts'
import { guardPartialKey } from './partial-key.ts'
import { createCollection } from './sql-collection.ts'

/** What the collections of a data source share. */
interface CollectionPlace {
  readonly dialect: SqlDialect
  readonly runners: Runners
  readonly tableOf: (model: ModelType) => SqlTable
}

/** How undeclared properties are handled if a table has no column for them. */
export type UndeclaredPolicy = 'keep' | 'refuse' | 'drop'

/** The two collections of an open model, whose table may or may not have a column for undeclared properties. */
export interface OpenCollectionParts {
  /** With the column. */
  readonly whole: Collection
  /** Without it. */
  readonly reduced: Collection
  /** Whether the table has the column. */
  readonly hasColumn: () => Promise<boolean>
}

/** Queries the database for the column before the first operation, and then uses the matching collection. */
export function openCollection({ whole, reduced, hasColumn }: OpenCollectionParts): Collection {
  return forwardTo(whole, async () => ((await hasColumn()) ? whole : reduced))
}

/**
 * The collection of an open model in a table that cannot store undeclared properties: as in LoopBack's SQL connectors, they
 * are omitted, with a process warning; or else refused.
 */
export function withoutUndeclared(collection: Collection, table: SqlTable, policy: UndeclaredPolicy): Collection {
  if (policy === 'drop') return collection
  const check = policy === 'refuse' ? refuse : warnOnce()
  const look = (row: Row): void => {
    const rest = undeclaredOf(table.byProperty, row)
    if (rest !== undefined) check(table, Object.keys(rest))
  }
  return {
    ...collection,
    async insert(rows) {
      for (const row of rows) look(row)
      return collection.insert(rows)
    },
    async update(where, patch) {
      look(patch)
      return collection.update(where, patch)
    },
    async patch(where, patch) {
      look(patch)
      return collection.patch?.(where, patch)
    },
    async upsert(row, defaults) {
      look(row)
      return collection.upsert(row, defaults)
    },
    async replace(id, row, where) {
      look(row)
      return collection.replace(id, row, where)
    }
  }
}

type Check = (table: SqlTable, names: readonly string[]) => void

const refuse: Check = ({ model }, names) => {
  throw new UndeclaredNotStored(`the table of ${model.name} has no column for ${names.join(', ')}`)
}

function warnOnce(): Check {
  let hasWarned = false
  return ({ model, name }, names) => {
    if (hasWarned) return
    hasWarned = true
    process.emitWarning(
      `${model.name}: the table ${name} has no column for undeclared properties, so ${names.join(', ')} and others are not stored. A migration adds it; with "strict": true they are refused.`,
      { code: 'MODELWIRE_UNDECLARED_LEFT_OUT' }
    )
  }
}

/**
 * The collection of a table, with everything that the dialect supports. Reads for access decisions always see the current
 * data.
 */
export function createTableCollection(table: SqlTable, { dialect, tableOf, runners }: CollectionPlace): Collection {
  const context = { dialect, table, tableOf, runner: runners.writer }
  const reading = { ...context, runner: runners.readerOf(() => isAccessModel(table.model)) }
  const collection = { ...createCollection(context, reading.runner), findRelated: createFindRelated(reading) }
  const isGuarded = table.partialKey !== undefined && !table.model.registry.rules.changesAllOfId
  return isGuarded ? guardPartialKey(collection, context) : collection
}

/**
 * A collection that is recreated when its model's properties change: relations declare keys after a model has been
 * attached, and scripts declare more.
 */
export function followModel(model: ModelType, make: () => Collection): Collection {
  let { properties } = model
  let made = make()
  const current = (): Collection => {
    if (properties !== model.properties) {
      made = make()
      properties = model.properties
    }
    return made
  }
  return forwardTo(made, current)
}

/**
 * A collection with the methods of `like`, each of which is forwarded to the collection that `choose` returns for the call.
 * @param choose gets a function that gives the signal of the read, which is only made when requested
 */
export function forwardTo(
  like: Collection,
  choose: (signalOf: () => AbortSignal | undefined) => Awaitable<Collection>
): Collection {
  const forward = (name: keyof Collection): unknown => {
    return async (...args: readonly unknown[]) => {
      const chosen = await choose(() => signalIn(args[1]))
      // The collections have the same methods, which take what the caller gives.
      return (chosen[name] as (...args: readonly unknown[]) => unknown)(...args)
    }
  }
  // The keys of a collection are the names of its methods.
  const names = Object.keys(like) as (keyof Collection)[]
  const forwarding: unknown = Object.fromEntries(names.map((name) => [name, forward(name)]))
  // It has every method of a collection.
  return forwarding as Collection
}

function signalIn(options: unknown): AbortSignal | undefined {
  const isWith = typeof options === 'object' && options !== null && 'signal' in options
  return isWith && options.signal instanceof AbortSignal ? options.signal : undefined
}
