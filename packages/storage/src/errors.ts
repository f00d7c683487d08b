import { ApiError } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

/** There is no container, or no file in it, of this name. LoopBack's clients know the code of Node's file system. */
export class FileNotFound extends ApiError {
  override readonly code = 'ENOENT'
  override readonly statusCode = 404
  readonly status = 404
}

/** A container of this name exists. */
export class ContainerExists extends ApiError {
  override readonly code = 'EEXIST'
  override readonly statusCode = 409
}

/** A container holds what no upload put there, such as a folder: it is not deleted, and nothing in it. */
export class ContainerNotEmpty extends ApiError {
  override readonly code = 'ENOTEMPTY'
  override readonly statusCode = 409
}

/** The name of a container or a file is none that every file system takes: it leads elsewhere, is reserved or too long. */
export class FileNameInvalid extends BadRequest {
  override readonly code = 'FILE_NAME_INVALID'
  override readonly hidesCode = false
}

/** An upload holds no file. LoopBack sends no code. */
export class NoFileUploaded extends BadRequest {
  override readonly code = 'NO_FILE_UPLOADED'
}

/** The form of an upload is malformed or ends too early. */
export class FormMalformed extends BadRequest {
  override readonly code = 'FORM_MALFORMED'
  override readonly hidesCode = false
}

/** The form of an upload has more parts than it may have, longer fields, or larger files together. */
export class FormTooLarge extends ApiError {
  override readonly code = 'FORM_TOO_LARGE'
  override readonly statusCode = 413
}

/** An uploaded file is larger than `maxFileSize`. */
export class FileTooLarge extends ApiError {
  override readonly code = 'FILE_TOO_LARGE'
  override readonly statusCode = 413
}

/** The type of an uploaded file is not among `allowedContentTypes`. */
export class ContentTypeRefused extends ApiError {
  override readonly code = 'CONTENT_TYPE_REFUSED'
  override readonly statusCode = 415
}

/** A download requests bytes that the file does not have. */
export class RangeNotSatisfiable extends ApiError {
  override readonly code = 'RANGE_NOT_SATISFIABLE'
  override readonly statusCode = 416
}

/** A download has a condition, such as `If-Match`, that the file does not meet. */
export class FileConditionFailed extends ApiError {
  override readonly code = 'FILE_CONDITION_FAILED'
  override readonly statusCode = 412
}

/** A file of a store was replaced again and again while it was about to be read. */
export class FileChanged extends ApiError {
  override readonly code = 'FILE_CHANGED'
  override readonly statusCode = 503
}

/** The disk, or the store, has no room left. */
export class StorageFull extends ApiError {
  override readonly code = 'STORAGE_FULL'
  override readonly statusCode = 507
}

/** The file system or the store refuses something for the reason in `cause`. */
export class StorageFailed extends ApiError {
  override readonly code = 'STORAGE_FAILED'
  override readonly statusCode = 500
}
