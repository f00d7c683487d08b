import { ApiError, BadRequest } from '../errors.ts'
import type { AnswerBounds } from '../limits/answer-bounds.ts'

/**
 * An answer has more records or more bytes than it may have, or more than a process can hold in one piece. The rest of it was
 * not read; whoever asks for less is served.
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

/** A transaction asks for an isolation level that does not exist. */
export class IsolationUnknown extends ApiError {
  override readonly code = 'ISOLATION_LEVEL_UNKNOWN'
  override readonly statusCode = 500
}

function describe(exceeded: 'rows' | 'bytes', bounds: AnswerBounds | undefined): string {
  if (bounds === undefined) return 'the answer is too large to be read in one piece: ask for less'
  const most = exceeded === 'rows' ? `${bounds.rows} records` : `${bounds.bytes} bytes`
  return `the answer has more than ${most}: ask for less, or raise the option "${bounds.options[exceeded]}"`
}
