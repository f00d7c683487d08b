import { ApiError, InvalidFilter } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

/** A filter includes a relation that the model does not have. */
export class UnknownRelation extends InvalidFilter {
  override readonly code = 'RELATION_UNKNOWN'
  override readonly hidesCode = false
}

/** The body would move a record to another parent: its foreign key is part of the path. */
export class ForeignKeyFixed extends BadRequest {
  override readonly code = 'FOREIGN_KEY_FIXED'
  override readonly hidesCode = false
}

/** The parent has no key that related records could refer to. */
export class ParentKeyMissing extends BadRequest {
  override readonly code = 'PARENT_KEY_MISSING'
  override readonly hidesCode = false
}

/** The record exists, but the parent does not refer to it. LB3: 400 without a code, pinned by relations/references-many. */
export class NotReferenced extends BadRequest {
  override readonly code = 'NOT_REFERENCED'
}

/** The parent of a hasOne relation has a related record already. */
export class RelatedRecordExists extends ApiError {
  override readonly code = 'RELATED_RECORD_EXISTS'
  override readonly statusCode = 409
}

/** The relation takes one record at a time. */
export class ListNotAllowed extends ApiError {
  override readonly code = 'LIST_NOT_ALLOWED'
  override readonly statusCode = 422
}

/** Records that must not lose their parent refer to the record that is to be deleted. */
export class DeletionRestricted extends ApiError {
  override readonly code = 'DELETION_RESTRICTED'
  override readonly statusCode = 409
}
