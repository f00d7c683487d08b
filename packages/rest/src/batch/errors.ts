import { ApiError } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

/** The body of a batch is malformed, or one of its requests cannot be a part of one: 400. Nothing was carried out. */
export class InvalidBatch extends BadRequest {
  override readonly code = 'INVALID_BATCH'
  override readonly hidesCode = false
}

/** The requests of an atomic batch change models of several data sources, which have no transaction in common: 400. */
export class BatchSpansDataSources extends BadRequest {
  override readonly code = 'BATCH_SPANS_DATA_SOURCES'
  override readonly hidesCode = false
}

/** A request of an atomic batch was refused, and nothing was changed: 422. `details` has its id and its answer. */
export class BatchRolledBack extends ApiError {
  override readonly code = 'BATCH_ROLLED_BACK'
  override readonly statusCode = 422
}

/** A request of a batch needs the answer of another one that was refused: 424. */
export class DependencyFailed extends ApiError {
  override readonly code = 'DEPENDENCY_FAILED'
  override readonly statusCode = 424
}

/** The client of a batch left before it was done: 499. What was running was ended, the rest was not begun. */
export class ClientLeft extends ApiError {
  override readonly code = 'CLIENT_LEFT'
  override readonly statusCode = 499
  constructor() {
    super('the client left before the batch was done')
  }
}
