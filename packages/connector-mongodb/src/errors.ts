import { ApiError, BadRequest, DataSourceUnavailable, type MigrationStep } from '@modelwire/core'

/** A value cannot be stored: a text that is no Unicode, a name that MongoDB reads as an operator or a path, or a document over its limit. */
export class ValueRefused extends BadRequest {
  override readonly code = 'VALUE_REFUSED'
  override readonly hidesCode = false
}

/** A record breaks a rule of the database: a validator of its collection. */
export class ConstraintViolated extends ApiError {
  override readonly code = 'CONSTRAINT_VIOLATED'
  override readonly statusCode = 422
}

/** A stored number has more digits than a number of the language can hold: it is not sent as another one. */
export class NumberNotRepresentable extends ApiError {
  override readonly code = 'NUMBER_NOT_REPRESENTABLE'
  override readonly statusCode = 500
}

/** No connection opened or became free in time. */
export class ConnectionTimeout extends DataSourceUnavailable {}

/** The database took longer over a command than it may. */
export class StatementTimeout extends ApiError {
  override readonly code = 'STATEMENT_TIMEOUT'
  override readonly statusCode = 503
}

/** Nobody waited for the answer any more: the command was ended. No client sees it. */
export class StatementCancelled extends ApiError {
  override readonly code = 'STATEMENT_CANCELLED'
  override readonly statusCode = 499
  constructor() {
    super('the client left before the database had answered')
  }
}

/** The database has no room left for what a command writes, or may not use more. */
export class DatabaseFull extends ApiError {
  override readonly code = 'DATABASE_FULL'
  override readonly statusCode = 507
}

/** Transactions kept getting in each other's way, however often this one was tried. */
export class TransactionConflict extends ApiError {
  override readonly code = 'TRANSACTION_CONFLICT'
  override readonly statusCode = 409
}

/** A transaction is used that was committed or rolled back already. */
export class TransactionOver extends ApiError {
  override readonly code = 'TRANSACTION_OVER'
  override readonly statusCode = 500
}

/** A command of a transaction failed, and the server has taken back the whole transaction. `cause` is the command's error. */
export class TransactionAborted extends ApiError {
  override readonly code = 'TRANSACTION_ABORTED'
  override readonly statusCode = 500
}

/** A transaction asks for a level of isolation that MongoDB does not have. */
export class IsolationUnknown extends ApiError {
  override readonly code = 'ISOLATION_LEVEL_UNKNOWN'
  override readonly statusCode = 500
}

/** The user of the database may not do what a command does. */
export class PrivilegeMissing extends ApiError {
  override readonly code = 'DATABASE_PERMISSION_DENIED'
  override readonly statusCode = 500
}

/** The database refuses a command for a reason that has no code of its own here: the message and `cause` say which. */
export class DatabaseFailed extends ApiError {
  override readonly code = 'DATABASE_FAILED'
  override readonly statusCode = 500
}

/** A migration would do something else than the plan that was agreed to. */
export class MigrationPlanChanged extends ApiError {
  override readonly code = 'MIGRATION_PLAN_CHANGED'
  override readonly statusCode = 409
}

/** Another process migrated the database for longer than this one waits. */
export class MigrationLocked extends ApiError {
  override readonly code = 'MIGRATION_LOCKED'
  override readonly statusCode = 409
}

/** The database refuses a step of a migration: `step` is that one, `cause` says why. */
export class MigrationFailed extends ApiError {
  override readonly code = 'MIGRATION_FAILED'
  override readonly statusCode = 500
  readonly step: MigrationStep
  constructor(step: MigrationStep, cause: unknown) {
    super(
      `the migration cannot go on with ${step.description}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause
      }
    )
    this.step = step
  }
}
