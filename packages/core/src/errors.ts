/** What an `ApiError` may carry besides its message. */
export interface ApiErrorOptions {
  cause?: unknown
  details?: unknown
}

/** What an error of the application's own says to the client. */
export interface AppErrorOptions extends ApiErrorOptions {
  /** The HTTP status, 400 to 599. */
  readonly statusCode: number
  /** For programs, such as `ROOM_TAKEN`: keep it when the message changes. */
  readonly code: string
}

/**
 * Base of every error that a caller can provoke. `code` is part of the API and never changes; `statusCode` is the
 * HTTP status that `rest` answers with.
 *
 * Built without a stack trace: these errors are answers, not accidents, and capturing a stack costs more than
 * producing the answer.
 */
export abstract class ApiError extends Error {
  abstract readonly code: string
  abstract readonly statusCode: number
  /** Facts for the client, shown in the error body. */
  readonly details?: unknown
  /** LB3: errors that LoopBack 3 sends without a `code` keep it off the wire where `hidesOwnCodes` holds. */
  readonly hidesCode: boolean = false

  constructor(message: string, options: ApiErrorOptions = {}) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = limit
    this.name = 'Error'
    if (options.details !== undefined) this.details = options.details
  }

  /**
   * Makes an error of the application's own, to be thrown: it is answered with its status, code, message and details.
   * @example throw ApiError.of('the room is taken', { statusCode: 409, code: 'ROOM_TAKEN', details: { until: '10:00' } })
   */
  static of(message: string, options: AppErrorOptions): ApiError {
    return new AppError(message, options)
  }

  /** What a script that answers with the error itself sends: its facts, as those of LoopBack's errors. */
  toJSON(): Record<string, unknown> {
    const { hidesCode: _hidesCode, name, ...facts } = this
    return name === 'Error' ? facts : { name, ...facts }
  }
}

/** An error that the application describes. */
class AppError extends ApiError {
  override readonly code: string
  override readonly statusCode: number
  constructor(message: string, { statusCode, code, ...options }: AppErrorOptions) {
    super(message, options)
    this.code = code
    this.statusCode = statusCode
  }
}

/** The value of an argument, filter or body cannot be used: 400. */
export class BadRequest extends ApiError {
  override readonly code: string = 'BAD_REQUEST'
  override readonly statusCode = 400
  override readonly hidesCode: boolean = true
}

/** An argument of an operation has the wrong type, or is missing though required. */
export class InvalidArgument extends BadRequest {
  override readonly code: string = 'INVALID_ARGUMENT'
}

/** A filter or a part of one is malformed. */
export class InvalidFilter extends BadRequest {
  override readonly code: string = 'INVALID_FILTER'
}

/** `after` or `before` of a filter is no cursor of the list in this order. */
export class InvalidCursor extends BadRequest {
  override readonly code = 'INVALID_CURSOR'
  override readonly hidesCode = false
}

/** A change of many records would reach more than the client allows. */
export class TooManyAffected extends BadRequest {
  override readonly code = 'TOO_MANY_AFFECTED'
  override readonly hidesCode = false
}

/** A filter names a property that callers may not see. */
export class HiddenPropertyInFilter extends BadRequest {
  override readonly code = 'HIDDEN_PROPERTY_IN_FILTER'
  override readonly hidesCode = false
}

/** A condition holds an operator that starts with `$`: a database's own language is never spoken by clients. */
export class OperatorNotAllowed extends BadRequest {
  override readonly code = 'OPERATOR_NOT_ALLOWED_IN_QUERY'
  override readonly hidesCode = false
}

/** A filter, list or body exceeds one of the documented limits. */
export class LimitExceeded extends BadRequest {
  override readonly code = 'LIMIT_EXCEEDED'
  override readonly hidesCode = false
}

/** A regular expression cannot be compiled, or needs a feature that has no bounded running time. */
export class InvalidPattern extends BadRequest {
  override readonly code = 'INVALID_PATTERN'
}

/** A value cannot become the declared type and no validation can report it. */
export class InvalidValue extends BadRequest {
  override readonly code: string = 'INVALID_VALUE'
}

/** Data uses a name that belongs to JavaScript's object model, such as `__proto__`. */
export class NameRefused extends BadRequest {
  override readonly code = 'PROPERTY_NAME_REFUSED'
  override readonly hidesCode = false
}

/** The body's id differs from the id of the addressed record. */
export class IdMismatch extends BadRequest {
  override readonly code = 'ID_MISMATCH'
}

/** `upsertWithWhere` found more than one record. */
export class SeveralMatches extends BadRequest {
  override readonly code = 'SEVERAL_MATCHES'
}

/** No record has the id: LoopBack's 404 with a code, from reads and prototype methods. */
export class ModelNotFound extends ApiError {
  override readonly code = 'MODEL_NOT_FOUND'
  override readonly statusCode = 404
  /** Shown beside `statusCode` with `debug`, where LoopBack shows it. */
  declare status?: number
}

/** No record has the id: LoopBack's 404 without a code, from replace and upsert. */
export class RecordNotFound extends ApiError {
  override readonly code = 'RECORD_NOT_FOUND'
  override readonly statusCode = 404
  override readonly hidesCode = true
}

/** A record with this id, or with this value of a unique property, exists already. */
export class DuplicateKey extends ApiError {
  override readonly code = 'DUPLICATE_KEY'
  override readonly statusCode = 409
  readonly status = 409
  override readonly hidesCode = true
  readonly model: string
  readonly property: string
  readonly value: unknown
  constructor(model: string, property: string, value: unknown) {
    super(
      `${model} already has a record with ${value === undefined ? `this ${property}` : `${property} ${JSON.stringify(value)}`}`
    )
    this.model = model
    this.property = property
    this.value = value
  }
}

/** A record does not have the version that a change of it was made for; another change came first. */
export class PreconditionFailed extends ApiError {
  override readonly code = 'PRECONDITION_FAILED'
  override readonly statusCode = 412
}

/** Records of the model are changed only by clients that state the version they have seen. */
export class PreconditionRequired extends ApiError {
  override readonly code = 'PRECONDITION_REQUIRED'
  override readonly statusCode = 428
}

/** The operation exists but nothing carries it out, such as a model without a data source. */
export class NotImplemented extends ApiError {
  override readonly code = 'NOT_IMPLEMENTED'
  override readonly statusCode = 501
}

/** A transaction names no data source, and several have transactions. */
export class AmbiguousDataSource extends ApiError {
  override readonly code = 'DATA_SOURCE_AMBIGUOUS'
  override readonly statusCode = 500
}

/** The database cannot be reached or does not answer in time. */
export class DataSourceUnavailable extends ApiError {
  override readonly code = 'DATA_SOURCE_UNAVAILABLE'
  override readonly statusCode = 503
}

/** Codes and messages of one property, as LoopBack's 422 body groups them. */
export interface ValidationDetails {
  context: string
  codes: Record<string, string[]>
  messages: Record<string, string[]>
}

/**
 * A record breaks its model's rules: 422 with `details.codes` and `details.messages` per property.
 * @see recording crud/post-bodies
 */
export class ValidationError extends ApiError {
  override readonly code = 'VALIDATION_FAILED'
  override readonly statusCode = 422
  override readonly hidesCode = true
  declare readonly details: ValidationDetails
  constructor(details: ValidationDetails) {
    const reasons = Object.entries(details.messages).map(([name, list]) => `${name} ${list.join(', ')}`)
    super(`The ${details.context} is not valid: ${reasons.join('; ')}`, { details })
    this.name = 'ValidationError'
  }
}

/**
 * Some records of a list are not valid, so none was stored: 422 whose `details` has an error per invalid item and
 * null where the item was fine.
 */
export class ListNotValid extends ApiError {
  override readonly code = 'LIST_NOT_VALID'
  override readonly statusCode = 422
  declare readonly details: readonly (Error | null)[]
  constructor(details: readonly (Error | null)[]) {
    super(`${details.filter(Boolean).length} of ${details.length} records are not valid; none was stored`, { details })
  }
}
