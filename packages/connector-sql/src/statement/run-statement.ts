import { type Row, type TransactionConflict, ValueRefused } from '@modelwire/core/connector'
import type { FaultPlace } from './translate-error.ts'
import { type Sql, type Statement, writeStatement } from '../sql.ts'
import type { StatementResult } from '../dialect/database.ts'
import type { Column } from '../table/column.ts'
import type { SqlDialect } from '../dialect/dialect.ts'
import { isStorableText } from '../values/decode-value.ts'

/** What statements begin with, and the verb that each is counted under. */
const verbs: ReadonlyMap<string, string> = new Map([
  ...[
    'select',
    'insert',
    'update',
    'delete',
    'replace',
    'merge',
    'call',
    'begin',
    'commit',
    'rollback',
    'create',
    'alter',
    'drop',
    'set'
  ].map((verb) => [verb, verb] as const),
  // The connectors read by them alone.
  ['with', 'select'],
  ['start', 'begin']
])

/** Runs statements, in the caller's transaction if there is one. */
export interface Runner {
  /**
   * Runs one statement. If the database causes a failure, the error has a code.
   * @throws {DuplicateKey} an id or a unique value exists already
   * @throws {DataSourceUnavailable} no connection to the database
   */
  run: (statement: Sql | Statement, place: FaultPlace) => Promise<StatementResult>
  /** The same within a transaction, which continues unaffected if the statement fails. */
  runApart: (statement: Sql, place: FaultPlace) => Promise<StatementResult>
  /** Runs one statement whose first columns are these, and returns rows of the model. Errors as in `run`. */
  read: (statement: Sql | Statement, columns: readonly Column[], place: FaultPlace) => Promise<Row[]>
  /**
   * Runs one statement like `read`, part by part. Undefined if it must be read whole: within a transaction, or if the
   * database only reads so.
   */
  readInParts: (
    statement: Statement,
    columns: readonly Column[],
    place: FaultPlace
  ) => Promise<AsyncIterable<Row[]> | undefined>
  /** The error of a conflict that the database did not detect: the caller's transaction can no longer be committed. */
  conflict: (message: string, cause?: unknown) => TransactionConflict
  /** Whether the caller's work belongs to a transaction. */
  isInTransaction: () => boolean
  /** Runs several statements atomically: all of them take effect or none. */
  atomically: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The text and parameters of a statement that is to be run several times. */
  compile: (statement: Sql) => Statement
}

/** The number of rows that a statement changed. */
export function changedRows({ numAffectedRows }: StatementResult): number {
  return Number(numAffectedRows ?? 0)
}

/**
 * Writes the whole statement, after checking that the database can store its strings.
 * @throws {ValueRefused} the database cannot hold a text in it: the driver would change it, or end the process
 */
export function writeChecked(dialect: SqlDialect, statement: Sql): Statement {
  const written = writeStatement(dialect.notation, statement)
  for (const parameter of written.parameters) checkParameter(dialect, parameter)
  return written
}

function checkParameter(dialect: SqlDialect, parameter: unknown): void {
  if (Array.isArray(parameter)) for (const item of parameter) checkParameter(dialect, item)
  else if (typeof parameter === 'string' && !isStorableText(dialect, parameter))
    throw new ValueRefused('the database cannot store a string: it is not well-formed Unicode, or contains U+0000')
}

/** The verb of a statement, from a fixed list, so that no text of an application leaks; `other` for the rest. */
export function verbOf(sql: string): string {
  const word = /^\s*([a-z]+)/i.exec(sql)?.[1]
  return (word && verbs.get(word.toLowerCase())) ?? 'other'
}
