import { ApiError, DefinitionError } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

export { InvalidAnswer, RouteNotFound } from '@modelwire/server'

/** The facts of a body error, in addition to its message. */
export interface BodyErrorFacts {
  /** The text that could not be read, as sent. */
  body?: string
  cause?: unknown
}

/**
 * Base of the errors about a request's body. `status`, `expose`, `type` and `body` are those that LoopBack 3 returns with
 * `debug`, and in version 2 always.
 */
export abstract class BodyError extends ApiError {
  /** The machine-readable type of LoopBack's parsers. */
  readonly type: string
  readonly expose = true
  readonly body?: string
  abstract readonly status: number
  override readonly hidesCode = true

  constructor(message: string, type: string, facts: BodyErrorFacts = {}) {
    super(message, facts)
    this.type = type
    if (facts.body !== undefined) this.body = facts.body
  }
}

/** The body is not well-formed JSON, form or XML, as its media type says. */
export class InvalidBody extends BodyError.with({ code: 'BODY_INVALID', statusCode: 400, status: 400 }) {
  constructor(message: string, facts: BodyErrorFacts = {}) {
    super(message, 'entity.parse.failed', facts)
    this.name = 'SyntaxError'
  }
}

/** The compressed body is damaged. */
export class InvalidEncoding extends BodyError.with({ code: 'BODY_ENCODING_INVALID', statusCode: 400, status: 400 }) {
  constructor(encoding: string, cause: unknown) {
    super(`The body cannot be decoded as ${encoding}`, 'encoding.invalid', { cause })
  }
}

/**
 * The body is too large, also once inflated, or a form has too many parameters: send less, or raise `json.limit`,
 * `urlencoded.limit`, `urlencoded.parameters` or `xml.limit`.
 */
export class PayloadTooLarge extends BodyError.with({ code: 'PAYLOAD_TOO_LARGE', statusCode: 413, status: 413 }) {
  constructor(message: string, type: 'entity.too.large' | 'parameters.too.many') {
    super(message, type)
    this.name = 'PayloadTooLargeError'
  }
}

/** The media type, charset or content encoding of the body is not supported: send JSON, a form or XML, in UTF-8. */
export class UnsupportedMediaType extends BodyError.with({
  code: 'MEDIA_TYPE_UNSUPPORTED',
  statusCode: 415,
  status: 415
}) {
  constructor(message: string, type: 'media.type.unsupported' | 'charset.unsupported' | 'encoding.unsupported') {
    super(message, type)
    this.name = 'UnsupportedMediaTypeError'
  }
}

/** An XML body has a document type, a custom entity, or a character that is invalid in XML. */
export class XmlRefused extends BadRequest.with({ code: 'XML_REFUSED', hidesCode: false }) {}
/**
 * Two public models have the same REST path: set another `plural` or `http.path` for one. Applications of LoopBack start, and
 * report it.
 */
export class ModelPathTaken extends DefinitionError.with({ code: 'MODEL_PATH_TAKEN' }) {}
/** Another plugin handles unknown paths under the prefix of `rest`: set `notFound: false`, or choose another prefix. */
export class NotFoundHandlerTaken extends DefinitionError.with({ code: 'NOT_FOUND_HANDLER_TAKEN' }) {}
/** A public model of roles, rules or clients has no access rules: add `acls`, or set `public` to false. */
export class AccessModelOpen extends DefinitionError.with({ code: 'ACCESS_MODEL_OPEN' }) {}
/** A public model has access rules, but no access control is installed: register `acl` before `rest`. */
export class AccessRulesUnenforced extends DefinitionError.with({ code: 'ACCESS_RULES_UNENFORCED' }) {}
/** The caller of a stream may see other records than when it was opened: open it again. */
export class StreamRightsChanged extends ApiError.with({ code: 'STREAM_RIGHTS_CHANGED', statusCode: 403 }) {}

/** A stream cannot be opened now: too many are open. `Retry-After` says when to try again. */
abstract class StreamsError extends ApiError {
  readonly headers: Readonly<Record<string, string>>
  /** @param wait seconds */
  constructor(message: string, wait: number) {
    super(message)
    this.headers = { 'retry-after': String(wait) }
  }
}

/** A caller has as many streams open as `streams.perCaller` allows: close one, or wait for the time in `retry-after`. */
export class TooManyStreams extends StreamsError.with({ code: 'TOO_MANY_STREAMS', statusCode: 429 }) {}
/** All callers together have as many streams open as `streams.perProcess` allows: wait for the time in `retry-after`. */
export class ServerStreamsFull extends StreamsError.with({ code: 'SERVER_STREAMS_FULL', statusCode: 503 }) {}
/** The body of a batch is malformed, or one of its requests is not allowed in a batch: the message says where. Nothing was done. */
export class InvalidBatch extends BadRequest.with({ code: 'INVALID_BATCH', hidesCode: false }) {}
/** An atomic batch uses models of several data sources: send one batch per data source. */
export class BatchSpansDataSources extends BadRequest.with({ code: 'BATCH_SPANS_DATA_SOURCES', hidesCode: false }) {}
/** A request of an atomic batch was refused; nothing was changed. `details` has its id, status and body. */
export class BatchRolledBack extends ApiError.with({ code: 'BATCH_ROLLED_BACK', statusCode: 422 }) {}
/** A request of a batch refers to one that was refused. */
export class DependencyFailed extends ApiError.with({ code: 'DEPENDENCY_FAILED', statusCode: 424 }) {}

/**
 * The client disconnected before its batch was done: the rest was not started, and an atomic batch changed nothing. Only a
 * retry with the same `Idempotency-Key` shows this.
 */
export class ClientLeft extends ApiError.with({ code: 'CLIENT_LEFT', statusCode: 499 }) {
  constructor() {
    super('the client disconnected before the batch was done')
  }
}

/** A request with this `Idempotency-Key` is in progress: send the same request again later. */
export class IdempotencyKeyInUse extends ApiError.with({ code: 'IDEMPOTENCY_KEY_IN_USE', statusCode: 409 }) {}
/** This `Idempotency-Key` was sent with another method, path or body before: use a new key for a new request. */
export class IdempotencyKeyReused extends ApiError.with({ code: 'IDEMPOTENCY_KEY_REUSED', statusCode: 422 }) {}
/**
 * The request with this `Idempotency-Key` was executed, but its response was not kept; `details` has its status. Read what
 * it changed.
 */
export class IdempotencyAnswerNotKept extends ApiError.with({ code: 'IDEMPOTENCY_ANSWER_NOT_KEPT', statusCode: 409 }) {}
/** A caller sent more new keys than `callerKeys`; the request was not executed: wait for the time in `retry-after`. */
export class TooManyIdempotencyKeys extends ApiError.with({ code: 'TOO_MANY_IDEMPOTENCY_KEYS', statusCode: 429 }) {}
