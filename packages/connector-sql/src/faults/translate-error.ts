import { ApiError, DataSourceUnavailable, DuplicateKey, InvalidPattern } from '@modelwire/core'
import type { SqlDialect } from '../dialect.ts'
import {
  ConstraintViolated,
  DatabaseFull,
  SchemaMissing,
  StatementTimeout,
  TransactionConflict,
  ValueRefused
} from '../errors.ts'
import type { Row } from '@modelwire/core'
import type { Column, SqlTable } from '../table/sql-table.ts'
import type { Fault } from './fault.ts'

/** What a statement was about. */
export interface FaultPlace {
  readonly table?: SqlTable
  /** The row that was written, for the value that exists already. */
  readonly row?: Row | undefined
}

type MakeError = (cause: unknown, place: FaultPlace, fault: Fault) => Error

const makeError: Readonly<Record<Fault['kind'], MakeError>> = {
  duplicate: (_cause, place, fault) => duplicateKey(place, fault),
  constraint: (cause, { table }) =>
    new ConstraintViolated(`the database refuses the ${table?.model.name ?? 'record'}: a constraint does not hold`, {
      cause
    }),
  value: (cause) => new ValueRefused('the database refuses a value: it does not fit its column', { cause }),
  lost: (cause) => new DataSourceUnavailable('the database cannot be reached', { cause }),
  timeout: (cause) => new StatementTimeout('the database did not answer in time', { cause }),
  full: (cause) => new DatabaseFull('the database has no room left', { cause }),
  conflict: (cause) => new TransactionConflict('another transaction changed the same records', { cause }),
  missing: (cause, { table }) =>
    new SchemaMissing(`the database lacks the table of ${table?.model.name ?? 'a model'}, or a column of it`, {
      cause
    }),
  pattern: (cause) => new InvalidPattern('the database cannot read the regular expression', { cause })
}

/** The coded error for what a driver threw; anything that the database has no part in is returned as it is. */
export function translateError(dialect: SqlDialect, error: unknown, place: FaultPlace): unknown {
  if (error instanceof ApiError) return error
  const fault = dialect.fault(error)
  return fault === undefined ? error : makeError[fault.kind](error, place, fault)
}

function duplicateKey({ table, row }: FaultPlace, fault: Fault): DuplicateKey {
  const column = table && findColumn(table, 'constraint' in fault ? fault.constraint : undefined)
  const name = column?.property.name ?? 'a unique value'
  return new DuplicateKey(table?.model.name ?? 'the model', name, row?.[name])
}

/** Databases name the column or the constraint, whose name ends with the column's where a migration made it. */
function findColumn({ columns, id }: SqlTable, constraint: string | undefined): Column | undefined {
  if (constraint === undefined) return undefined
  const unique = columns.filter(({ property }) => property.unique)
  return unique.find(({ name }) => new RegExp(`(^|[_.])${escape(name)}(_|$)`, 'i').test(constraint)) ?? id
}

const escape = (name: string): string => name.replaceAll(/[^\w]/g, String.raw`\$&`)
