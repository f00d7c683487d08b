import { andThen, type Awaitable, type Collection, type Row } from '@modelwire/core/connector'
import { UndeclaredNotStored } from '../errors.ts'
import type { SqlTable } from '../table/sql-table.ts'
import { undeclaredOf } from '../table/undeclared.ts'
import { forwardTo } from './forward-to.ts'

/** What becomes of undeclared properties where a table has no column for them. */
export type UndeclaredPolicy = 'keep' | 'refuse' | 'drop'

/** The records of an open model, whose table may or may not have a column for undeclared properties. */
export interface OpenCollectionParts {
  /** With the column. */
  readonly whole: Collection
  /** Without it. */
  readonly reduced: Collection
  /** Whether the table has it. */
  readonly hasColumn: () => Awaitable<boolean>
}

/** Asks the database for the column before the first operation, and then uses what fits. */
export function openCollection({ whole, reduced, hasColumn }: OpenCollectionParts): Collection {
  return forwardTo(whole, () => andThen(hasColumn(), (has) => (has ? whole : reduced)))
}

/**
 * The records of an open model in a table that cannot hold undeclared properties: as LoopBack's SQL connectors do, they
 * are left out, with a process warning; or else they are refused.
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
    async upsert(row) {
      look(row)
      return collection.upsert(row)
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
      `${model.name}: the table ${name} has no column for undeclared properties, so ${names.join(', ')} and others are not stored. A migration adds it; "strict": true refuses them.`,
      { code: 'MODELWIRE_UNDECLARED_LEFT_OUT' }
    )
  }
}
