import { ApiError, BadRequest, type MigrationStep } from '@modelwire/core'

/** A record breaks a rule of the database, such as a foreign key, a check or a column that must not be null. */
export class ConstraintViolated extends ApiError {
  override readonly code = 'CONSTRAINT_VIOLATED'
  override readonly statusCode = 422
}

/** A value does not fit its column: too long, out of range, or of another type. */
export class ValueRefused extends BadRequest {
  override readonly code = 'VALUE_REFUSED'
  override readonly hidesCode = false
}

/** The database took longer over a statement than it may. */
export class StatementTimeout extends ApiError {
  override readonly code = 'STATEMENT_TIMEOUT'
  override readonly statusCode = 503
}

/** The database has no room left for what a statement writes, or may not use more. */
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

/** A transaction asks for an isolation level that does not exist. */
export class IsolationUnknown extends ApiError {
  override readonly code = 'ISOLATION_LEVEL_UNKNOWN'
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
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`the migration cannot go on with ${step.description}: ${reason}`, { cause })
    this.step = step
  }
}
