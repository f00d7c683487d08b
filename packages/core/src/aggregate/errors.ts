import { BadRequest } from '../errors.ts'

/** A request for sums and groups is malformed, or names what cannot be summed or grouped. */
export class InvalidAggregate extends BadRequest {
  override readonly code = 'INVALID_AGGREGATE'
  override readonly hidesCode = false
}

/** A client's request for sums and groups names a property that the model's setting `aggregate` does not list. */
export class AggregateNotAllowed extends BadRequest {
  override readonly code = 'AGGREGATE_NOT_ALLOWED'
  override readonly hidesCode = false
}
