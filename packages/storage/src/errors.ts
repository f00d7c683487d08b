import { ApiError } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

/** The container, or the file in it, does not exist, or a link leads out of the root. */
export class FileNotFound extends ApiError.with({ code: 'ENOENT', statusCode: 404, status: 404 }) {}
/** A container of this name exists. */
export class ContainerExists extends ApiError.with({ code: 'EEXIST', statusCode: 409 }) {}
/** A container to delete contains folders (nothing was deleted), or received a new file meanwhile. */
export class ContainerNotEmpty extends ApiError.with({ code: 'ENOTEMPTY', statusCode: 409 }) {}
/** The name of a container or file may lead elsewhere, is reserved, or is longer than 255 bytes. */
export class FileNameInvalid extends BadRequest.with({ code: 'FILE_NAME_INVALID', hidesCode: false }) {}
/** An upload is not `multipart/form-data`, or has no file. */
export class NoFileUploaded extends BadRequest.with({ code: 'NO_FILE_UPLOADED' }) {}
/** The form of an upload is malformed, ends too early, or was already read by other code. */
export class FormMalformed extends BadRequest.with({ code: 'FORM_MALFORMED', hidesCode: false }) {}
/** A form exceeds `maxFiles`, `maxFieldsSize`, `maxFilesSize` (all files together) or a thousand fields. */
export class FormTooLarge extends ApiError.with({ code: 'FORM_TOO_LARGE', statusCode: 413 }) {}
/** An uploaded file is larger than `maxFileSize`. */
export class FileTooLarge extends ApiError.with({ code: 'FILE_TOO_LARGE', statusCode: 413 }) {}
/** The type of an uploaded file is not in `allowedContentTypes`. */
export class ContentTypeRefused extends ApiError.with({ code: 'CONTENT_TYPE_REFUSED', statusCode: 415 }) {}
/** A download requests bytes that the file does not have; `Content-Range` says how many there are. */
export class RangeNotSatisfiable extends ApiError.with({ code: 'RANGE_NOT_SATISFIABLE', statusCode: 416 }) {}
/** A download has a condition, `If-Match` or `If-Unmodified-Since`, that the file does not meet. */
export class FileConditionFailed extends ApiError.with({ code: 'FILE_CONDITION_FAILED', statusCode: 412 }) {}
/** A file of a store was replaced twice before it could be read: try again. */
export class FileChanged extends ApiError.with({ code: 'FILE_CHANGED', statusCode: 503 }) {}
/** The disk or the store is full, or its quota is exceeded. */
export class StorageFull extends ApiError.with({ code: 'STORAGE_FULL', statusCode: 507 }) {}
/** The file system or the store refuses an operation for another reason; `cause` says which. */
export class StorageFailed extends ApiError.with({ code: 'STORAGE_FAILED', statusCode: 500 }) {}
