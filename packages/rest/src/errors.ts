import { ApiError, DefinitionError } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

export { InvalidAnswer, RouteNotFound } from '@modelwire/core/plugin'

/** The facts of an error about a body beside its message. */
export interface BodyErrorFacts {
  /** The text that could not be read, as sent. */
  body?: string
  cause?: unknown
}

/**
 * Base of the errors that concern a request's body. `status`, `expose`, `type` and `body` are what LoopBack 3 answers
 * with `debug`, and in version 2 always.
 */
export abstract class BodyError extends ApiError {
  /** What went wrong, in the words that LoopBack's parsers use for programs. */
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

/** The body is not what its media type promises: 400. */
export class InvalidBody extends BodyError {
  override readonly code = 'BODY_INVALID'
  override readonly statusCode = 400
  override readonly status = 400

  constructor(message: string, facts: BodyErrorFacts = {}) {
    super(message, 'entity.parse.failed', facts)
    this.name = 'SyntaxError'
  }
}

/** The body is compressed, and the compressed data is damaged: 400. */
export class InvalidEncoding extends BodyError {
  override readonly code = 'BODY_ENCODING_INVALID'
  override readonly statusCode = 400
  override readonly status = 400

  constructor(encoding: string, cause: unknown) {
    super(`The body cannot be decoded as ${encoding}`, 'encoding.invalid', { cause })
  }
}

/** The body has more bytes, or more parameters, than the options allow: 413. */
export class PayloadTooLarge extends BodyError {
  override readonly code = 'PAYLOAD_TOO_LARGE'
  override readonly statusCode = 413
  override readonly status = 413

  constructor(message: string, type: 'entity.too.large' | 'parameters.too.many') {
    super(message, type)
    this.name = 'PayloadTooLargeError'
  }
}

/** Nothing here reads the body's media type, charset or content encoding: 415. */
export class UnsupportedMediaType extends BodyError {
  override readonly code = 'MEDIA_TYPE_UNSUPPORTED'
  override readonly statusCode = 415
  override readonly status = 415

  constructor(message: string, type: 'media.type.unsupported' | 'charset.unsupported' | 'encoding.unsupported') {
    super(message, type)
    this.name = 'UnsupportedMediaTypeError'
  }
}

/** An XML body holds a document type, an entity of its own, or a character that XML does not have: 400. */
export class XmlRefused extends BadRequest {
  override readonly code = 'XML_REFUSED'
  override readonly hidesCode = false
}

/** Two public models have the same REST path: one would hide methods of the other. */
export class ModelPathTaken extends DefinitionError {
  override readonly code = 'MODEL_PATH_TAKEN'
}

/** Another plugin answers unknown paths under this prefix already. */
export class NotFoundHandlerTaken extends DefinitionError {
  override readonly code = 'NOT_FOUND_HANDLER_TAKEN'
}

/** What a caller may see has changed since a stream was opened: it has to be opened again. */
export class StreamRightsChanged extends ApiError {
  override readonly code = 'STREAM_RIGHTS_CHANGED'
  override readonly statusCode = 403
}

/** A public model whose records decide who may do what has no access rules. */
export class AccessModelOpen extends DefinitionError {
  override readonly code = 'ACCESS_MODEL_OPEN'
}

/** A public model has access rules, and no access control obeys them. */
export class AccessRulesUnenforced extends DefinitionError {
  override readonly code = 'ACCESS_RULES_UNENFORCED'
}
