import { ApiError, DataSourceUnavailable, type MigrationStep } from '@modelwire/core'

// Those of all connectors.
export {
  ConstraintViolated,
  IsolationUnknown,
  TransactionConflict,
  TransactionOver,
  ValueRefused
} from '@modelwire/core'

/** A number would not be stored as it is: its column holds exact numbers, and fewer digits than it has. */
export class NumberNotExact extends ApiError {
  override readonly code = 'NUMBER_NOT_EXACT'
  override readonly statusCode = 422
}

/** A stored number has more digits than a number of the language can hold: it is not sent as another one. */
export class NumberNotRepresentable extends ApiError {
  override readonly code = 'NUMBER_NOT_REPRESENTABLE'
  override readonly statusCode = 500
}

/** No connection opened or became free in time. Reads are not tried again, since that would only double the wait. */
export class ConnectionTimeout extends DataSourceUnavailable {}

/** A prepared statement is missing on the connection, or its table has changed: nothing was executed, another try may work. */
export class StatementOutdated extends DataSourceUnavailable {}

/** The database took longer over a statement than it may. */
export class StatementTimeout extends ApiError {
  override readonly code = 'STATEMENT_TIMEOUT'
  override readonly statusCode = 503
}

/** Nobody waited for the answer any more: the statement was ended, and its connection is free. No client sees it. */
export class StatementCancelled extends ApiError {
  override readonly code = 'STATEMENT_CANCELLED'
  override readonly statusCode = 499
  constructor() {
    super('the client left before the database had answered')
  }
}

/** The database has no room left for what a statement writes, or may not use more. */
export class DatabaseFull extends ApiError {
  override readonly code = 'DATABASE_FULL'
  override readonly statusCode = 507
}

/** Records are to be locked outside of a transaction: the lock would end with the statement. */
export class LockOutsideTransaction extends ApiError {
  override readonly code = 'LOCK_OUTSIDE_TRANSACTION'
  override readonly statusCode = 500
}

/**
 * A statement of a transaction failed, and the database takes back the whole transaction: nothing more can be done in it.
 * `cause` is the statement's error.
 */
export class TransactionAborted extends ApiError {
  override readonly code = 'TRANSACTION_ABORTED'
  override readonly statusCode = 500
}

/** The database has no table, or no column, for a model: it was not migrated. */
export class SchemaMissing extends ApiError {
  override readonly code = 'DATABASE_SCHEMA_MISSING'
  override readonly statusCode = 500
}

/** The database's user may not do what a statement does: it lacks a privilege. */
export class PrivilegeMissing extends ApiError {
  override readonly code = 'DATABASE_PERMISSION_DENIED'
  override readonly statusCode = 500
}

/** The database refuses a statement for a reason that has no code of its own here: the message and `cause` say which. */
export class DatabaseFailed extends ApiError {
  override readonly code = 'DATABASE_FAILED'
  override readonly statusCode = 500
}

/** A record has undeclared properties, and its table has no column that could hold them. */
export class UndeclaredNotStored extends ApiError {
  override readonly code = 'UNDECLARED_NOT_STORED'
  override readonly statusCode = 422
}

/** Another process migrated the database for longer than this one waits. */
export class MigrationLocked extends ApiError {
  override readonly code = 'MIGRATION_LOCKED'
  override readonly statusCode = 409
}

/** A migration would do something else than the plan that was agreed to. */
export class MigrationPlanChanged extends ApiError {
  override readonly code = 'MIGRATION_PLAN_CHANGED'
  override readonly statusCode = 409
}

/** The database refuses a step of a migration: `step` is that one, `cause` says why. */
export class MigrationFailed extends ApiError {
  override readonly code = 'MIGRATION_FAILED'
  override readonly statusCode = 500
  readonly step: MigrationStep
  constructor(step: MigrationStep, cause: unknown) {
    super(`the migration cannot go on with ${step.description}: ${reasonOf(cause)}`, { cause })
    this.step = step
  }
}

/** The message with the database's own words, where it does not have them. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message } = cause
  const own = cause.cause instanceof Error ? cause.cause.message : ''
  return message.includes(own) ? message : `${message}: ${own}`
}
