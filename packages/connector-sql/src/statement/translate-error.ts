import { ApiError, DataSourceUnavailable, DuplicateKey } from '@modelwire/core'
import {
  AccessRefused,
  type AnswerBounds,
  AnswerTooLarge,
  checkViolated,
  ConnectionTimeout,
  ConstraintViolated,
  DatabaseFailed,
  DatabaseFull,
  InvalidPattern,
  PrivilegeMissing,
  type Row,
  StatementTimeout,
  TransactionConflict,
  ValueRefused
} from '@modelwire/core/connector'
import { checksOf } from '../dialect/table-checks.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import { NotUpdatable, SchemaMissing, StatementOutdated } from '../errors.ts'
import type { Column } from '../table/column.ts'
import { takenKey } from './taken-key.ts'
import { type Statement, isRead } from '../sql.ts'
import type { SqlTable } from '../table/sql-table.ts'
import type { Fault } from '../dialect/fault.ts'

/** The context of a statement, for errors. */
export interface FaultPlace {
  readonly table?: SqlTable
  /** The row that was written, to report a duplicate value. */
  readonly row?: Row | undefined
  /** The limits of the response. */
  readonly atMost?: AnswerBounds | undefined
  /** The statement that failed; absent if there was none yet. */
  readonly statement?: Pick<Statement, 'sql'> | undefined
}

type MakeError = (cause: unknown, place: FaultPlace, fault: Fault, dialect: SqlDialect) => Error

const makeError: Readonly<Record<Fault['kind'], MakeError>> = {
  duplicate: (cause, place, fault, dialect) => duplicateKey(place, fault, cause, dialect),
  constraint: constraintViolated,
  value: (cause, place, fault) => new ValueRefused(valueMessage(place, fault), { cause }),
  login: (cause) => new AccessRefused('login', cause),
  database: (cause) => new AccessRefused('database', cause),
  lost: (cause) => new DataSourceUnavailable('cannot connect to the database', { cause }),
  connectTimeout: (cause) => new ConnectionTimeout('no database connection became available in time', { cause }),
  hostNotReady: (cause) =>
    new DataSourceUnavailable('the database host is read-only, or not part of its cluster', { cause }),
  outdated: (cause) =>
    new StatementOutdated('a prepared statement is missing or outdated on this connection: try again', { cause }),
  timeout: (cause) => new StatementTimeout('the database did not answer in time', { cause }),
  full: (cause) => new DatabaseFull('the database is out of space', { cause }),
  conflict: (cause) => new TransactionConflict('another transaction changed the same records', { cause }),
  missing: (cause, { table }) =>
    new SchemaMissing(`the table of ${table?.model.name ?? 'a model'}, or one of its columns, does not exist`, {
      cause
    }),
  pattern: (cause) => new InvalidPattern('the database does not support the regular expression', { cause }),
  denied: (cause, { table }) =>
    new PrivilegeMissing(`the database user lacks a privilege on the table of ${table?.model.name ?? 'a model'}`, {
      cause
    }),
  notUpdatable,
  tooLarge,
  other: databaseFailed
}

function databaseFailed(cause: unknown): ApiError {
  return new DatabaseFailed(`the database refuses the statement: ${messageOf(cause)}`, { cause })
}

/** Reads fail for other reasons, such as a materialized view without data. */
function notUpdatable(cause: unknown, { table, statement }: FaultPlace): ApiError {
  if (statement !== undefined && isRead(statement)) return databaseFailed(cause)
  return new NotUpdatable(
    `records of ${table?.model.name ?? 'a model'} cannot be changed: the database refuses it for this view or table`,
    { cause }
  )
}

function tooLarge(cause: unknown, { atMost, statement }: FaultPlace): ApiError {
  if (statement === undefined || !isRead(statement))
    return new ValueRefused('a value is too large for the database', { cause })
  return new AnswerTooLarge('bytes', atMost, cause)
}

/** Names the property if it is certain: by the value or the type that the database names, or as the only one with a value. */
function valueMessage({ table, row }: FaultPlace, fault: Fault): string {
  const written =
    table === undefined || row === undefined ? [] : table.columns.filter((column) => hasValue(column, row))
  const value = 'value' in fault ? fault.value : undefined
  const type = 'type' in fault ? fault.type : undefined
  const byValue = written.filter((column) => value !== undefined && row !== undefined && holdsText(column, row, value))
  const byType = written.filter((column) => type !== undefined && isOfType(column, type))
  const [only] = [written, byValue, byType].find(({ length }) => length === 1) ?? []
  return only === undefined
    ? 'a value does not fit its column'
    : `the value of the property "${only.property.name}" does not fit its column`
}

const hasValue = (column: Column, row: Row): boolean =>
  column.declared === undefined && (row[column.property.name] ?? null) !== null

function holdsText({ property }: Column, row: Row, text: string): boolean {
  const isText = (value: unknown): boolean =>
    String(value) === text || (Array.isArray(value) && value.some((item) => isText(item)))
  return isText(row[property.name])
}

/** Databases name a type with its length, and a list by its items. */
function isOfType({ type }: Column, named: string): boolean {
  const { name } = type?.items ?? type ?? {}
  return name !== undefined && (named === name || named.startsWith(`${name}(`))
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The coded error for an error of the driver; errors unrelated to the database are returned as is. */
export function translateError(dialect: SqlDialect, error: unknown, place: FaultPlace): unknown {
  if (error instanceof ApiError) return error
  // Nothing that the process cannot hold in one piece is within its bounds.
  if (isTooLong(error)) return tooLarge(error, { ...place, atMost: undefined })
  const fault = dialect.fault(error)
  return fault === undefined ? error : makeError[fault.kind](error, place, fault, dialect)
}

/** A text or buffer that the language cannot make: drivers read and write in whole pieces. */
function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'ERR_STRING_TOO_LONG' || error.code === 'ERR_BUFFER_TOO_LARGE')) return true
  return (
    error instanceof RangeError &&
    /^(?:invalid (?:string|array) length|array buffer allocation failed)/i.test(error.message)
  )
}

function duplicateKey({ table, row }: FaultPlace, fault: Fault, cause: unknown, dialect: SqlDialect): DuplicateKey {
  const taken = 'taken' in fault ? fault.taken : {}
  if (table === undefined) return new DuplicateKey('the model', { index: taken.name, properties: [] })
  return DuplicateKey.of(table.model.name, takenKey(dialect, table, taken), row, cause)
}

function constraintViolated(cause: unknown, { table }: FaultPlace, fault: Fault, dialect: SqlDialect): ApiError {
  const name = 'constraint' in fault ? fault.constraint : undefined
  const violated = table && checksOf(dialect, table).checks.find((each) => each.name === name)
  if (table !== undefined && violated !== undefined) return checkViolated(table.model, violated.check)
  return new ConstraintViolated(`the ${table?.model.name ?? 'record'} violates a constraint of the database`, { cause })
}
