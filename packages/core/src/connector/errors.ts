import { ApiError, BadRequest, DataSourceUnavailable } from '../errors.ts'
import type { AnswerBounds } from '../limits/answer-bounds.ts'
import type { MigrationStep } from '../contract/migration.ts'

/**
 * An answer has more records or more bytes than it may have, or more than a process can hold in one piece. The rest of
 * it was not read; the caller for less is served.
 */
export class AnswerTooLarge extends BadRequest {
  override readonly code = 'ANSWER_TOO_LARGE'
  override readonly hidesCode = false
  /** What there is too much of. */
  readonly exceeded: 'rows' | 'bytes'

  /** @param bounds those that were exceeded; absent where it is the process that cannot hold the answer */
  constructor(exceeded: 'rows' | 'bytes', bounds?: AnswerBounds, cause?: unknown) {
    super(describe(exceeded, bounds), { cause })
    this.exceeded = exceeded
  }
}

/** The work of a transaction took longer than its `timeout`: it is rolled back. */
export class TransactionTimeout extends ApiError {
  override readonly code = 'TRANSACTION_TIMEOUT'
  override readonly statusCode = 503
}

/** The database refuses a value: it does not fit its column, being too long, out of range, or of another type. */
export class ValueRefused extends BadRequest {
  override readonly code = 'VALUE_REFUSED'
  override readonly hidesCode = false
}

/** A record breaks a rule of the database, such as a foreign key, a check or a column that must not be null. */
export class ConstraintViolated extends ApiError {
  override readonly code = 'CONSTRAINT_VIOLATED'
  override readonly statusCode = 422
}

/** Other transactions changed the same records, however often this one was tried. */
export class TransactionConflict extends ApiError {
  override readonly code = 'TRANSACTION_CONFLICT'
  override readonly statusCode = 409
}

/** A transaction is used that was committed or rolled back already. */
export class TransactionOver extends ApiError {
  override readonly code = 'TRANSACTION_OVER'
  override readonly statusCode = 500
}

/** A transaction requests an isolation level that does not exist. */
export class IsolationUnknown extends ApiError {
  override readonly code = 'ISOLATION_LEVEL_UNKNOWN'
  override readonly statusCode = 500
}

/** A stored number has more digits than a number of the language can hold: it is not sent as another one. */
export class NumberNotRepresentable extends ApiError {
  override readonly code = 'NUMBER_NOT_REPRESENTABLE'
  override readonly statusCode = 500
}

/** No connection opened or became free in time. Reads are not tried again, since that would only double the wait. */
export class ConnectionTimeout extends DataSourceUnavailable {}

/** The database took longer over a statement than it may. */
export class StatementTimeout extends ApiError {
  override readonly code = 'STATEMENT_TIMEOUT'
  override readonly statusCode = 503
}

/**
 * The caller no longer waits for the answer: the statement was ended, and its connection is free. No client sees it.
 */
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

/**
 * A statement of a transaction failed, and the database takes back the whole transaction: nothing more can be done in it.
 * `cause` is the statement's error.
 */
export class TransactionAborted extends ApiError {
  override readonly code = 'TRANSACTION_ABORTED'
  override readonly statusCode = 500
}

/** The database's user may not do what a statement does: it lacks a privilege. */
export class PrivilegeMissing extends ApiError {
  override readonly code = 'DATABASE_PERMISSION_DENIED'
  override readonly statusCode = 500
}

/** The database refuses a statement for a reason that has no code of its own here: see the message and `cause`. */
export class DatabaseFailed extends ApiError {
  override readonly code = 'DATABASE_FAILED'
  override readonly statusCode = 500
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

/** The database refuses a step of a migration: `step` is that one, `cause` the database's error. */
export class MigrationFailed extends ApiError {
  override readonly code = 'MIGRATION_FAILED'
  override readonly statusCode = 500
  readonly step: MigrationStep
  constructor(step: MigrationStep, cause: unknown) {
    super(`the migration cannot go on with ${step.description}: ${reasonOf(cause)}`, { cause })
    this.step = step
  }
}

function describe(exceeded: 'rows' | 'bytes', bounds: AnswerBounds | undefined): string {
  if (bounds === undefined) return 'the answer is too large to be read at once: ask for less'
  const most = exceeded === 'rows' ? `${bounds.rows} records` : `${bounds.bytes} bytes`
  return `the answer has more than ${most}: request less, or raise the option "${bounds.options[exceeded]}"`
}

/** The message with the database's own words, where it does not have them. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message } = cause
  const own = cause.cause instanceof Error ? cause.cause.message : ''
  return message.includes(own) ? message : `${message}: ${own}`
}
