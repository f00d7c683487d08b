import { BadRequest, DataSourceUnavailable } from '../errors.ts'
import { ApiError } from '@modelwire/server'
import type { AnswerBounds } from '../limits/limits.ts'
import type { MigrationStep } from '../contract/migration.ts'

/**
 * A response has more records or bytes than is allowed, or than can be read at once; `exceeded` says which. Request less
 * with `limit`, `where`, `fields` or fewer includes, or raise the option that the message names.
 */
export class AnswerTooLarge extends BadRequest.with({ code: 'ANSWER_TOO_LARGE', hidesCode: false }) {
  /** Which limit was exceeded. */
  readonly exceeded: 'rows' | 'bytes'

  /** @param bounds those that were exceeded; absent where it is the process that cannot hold the answer */
  constructor(exceeded: 'rows' | 'bytes', bounds?: AnswerBounds, cause?: unknown) {
    super(describe(exceeded, bounds), { cause })
    this.exceeded = exceeded
  }
}

/** A transaction took longer than its `timeout`, and was rolled back. */
export class TransactionTimeout extends ApiError.with({ code: 'TRANSACTION_TIMEOUT', statusCode: 503 }) {}
/** A value does not fit its column (too long, out of range, another type), or exceeds the database's maximum size. */
export class ValueRefused extends BadRequest.with({ code: 'VALUE_REFUSED', hidesCode: false }) {}
/** A record breaks a rule of the database: a foreign key, a check, a column that must not be null, or a trigger. */
export class ConstraintViolated extends ApiError.with({ code: 'CONSTRAINT_VIOLATED', statusCode: 422 }) {}
/** Other transactions changed the same records, each time this one was tried: try again. */
export class TransactionConflict extends ApiError.with({ code: 'TRANSACTION_CONFLICT', statusCode: 409 }) {}
/** The transaction was already committed or rolled back: wait for all of its work before it ends. */
export class TransactionOver extends ApiError.with({ code: 'TRANSACTION_OVER', statusCode: 500 }) {}
/** `lock: 'update'` requires a transaction: the lock would end with the statement. */
export class LockOutsideTransaction extends ApiError.with({ code: 'LOCK_OUTSIDE_TRANSACTION', statusCode: 500 }) {}
/** A transaction requests an unknown isolation level. */
export class IsolationUnknown extends ApiError.with({ code: 'ISOLATION_LEVEL_UNKNOWN', statusCode: 500 }) {}
/** A stored number has more digits than JavaScript's numbers: declare the property as `string`, with the column's `dataType`. */
export class NumberNotRepresentable extends ApiError.with({ code: 'NUMBER_NOT_REPRESENTABLE', statusCode: 500 }) {}
/** No connection opened or became free in time. Reads are not retried, since that would only double the wait. */
export class ConnectionTimeout extends DataSourceUnavailable {}

const refusals = {
  login: 'the database server refuses the user or password of the data source, or connections from this host',
  database: "the database server has no database of this name, or the data source's user may not access it"
}

/**
 * The server refuses the login: `login` or `database` of the data source is wrong. Nothing is retried, since servers lock
 * users after repeated failures.
 */
export class AccessRefused extends DataSourceUnavailable {
  /** @param hint what else may be wrong */
  constructor(refused: keyof typeof refusals, cause: unknown, hint = '') {
    super(`${refusals[refused]}${hint}`, { cause })
  }
}

/** A statement took longer than `statementTimeout`, or waited too long for a lock: request less, or add an index. */
export class StatementTimeout extends ApiError.with({ code: 'STATEMENT_TIMEOUT', statusCode: 503 }) {}

/** The client disconnected before the database answered: the statement was cancelled, and no client sees this error. */
export class StatementCancelled extends ApiError.with({ code: 'STATEMENT_CANCELLED', statusCode: 499 }) {
  constructor() {
    super('the client disconnected before the database answered')
  }
}

/** The database has no space left for a write, or has reached its quota. */
export class DatabaseFull extends ApiError.with({ code: 'DATABASE_FULL', statusCode: 507 }) {}
/** Work continued after a statement of its transaction failed: the database rolls everything back. `cause` is the error of that statement. */
export class TransactionAborted extends ApiError.with({ code: 'TRANSACTION_ABORTED', statusCode: 500 }) {}
/** The database user lacks a privilege that a statement needs. */
export class PrivilegeMissing extends ApiError.with({ code: 'DATABASE_PERMISSION_DENIED', statusCode: 500 }) {}
/** The database refuses a statement for a reason without its own code: see the message and `cause`. */
export class DatabaseFailed extends ApiError.with({ code: 'DATABASE_FAILED', statusCode: 500 }) {}
/** Another process migrated the database, used its tables or had a transaction open, for longer than this one waits. */
export class MigrationLocked extends ApiError.with({ code: 'MIGRATION_LOCKED', statusCode: 409 }) {}
/** The migration would differ from the plan that was confirmed: plan it again. */
export class MigrationPlanChanged extends ApiError.with({ code: 'MIGRATION_PLAN_CHANGED', statusCode: 409 }) {}

/** The database refuses a step of a migration: `step` and `cause` say which and why. */
export class MigrationFailed extends ApiError.with({ code: 'MIGRATION_FAILED', statusCode: 500 }) {
  readonly step: MigrationStep
  constructor(step: MigrationStep, cause: unknown) {
    super(`the migration cannot continue with ${step.description}: ${reasonOf(cause)}`, { cause })
    this.step = step
  }
}

function describe(exceeded: 'rows' | 'bytes', bounds: AnswerBounds | undefined): string {
  if (bounds === undefined) return 'the result is too large to read at once: request less'
  const most = exceeded === 'rows' ? `${bounds.rows} records` : `${bounds.bytes} bytes`
  return `the result has more than ${most}: request less, or raise the option "${bounds.options[exceeded]}"`
}

/** The message with the database's own words, where it does not have them. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message } = cause
  const own = cause.cause instanceof Error ? cause.cause.message : ''
  return message.includes(own) ? message : `${message}: ${own}`
}
