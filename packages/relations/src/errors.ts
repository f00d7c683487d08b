import { ApiError, InvalidFilter } from '@modelwire/core'
import { BadRequest } from '@modelwire/core/plugin'

/** An `include` names a relation that the model does not have; names are case-sensitive. */
export class UnknownRelation extends InvalidFilter.with({ code: 'RELATION_UNKNOWN', hidesCode: false }) {}
/** The body names another parent than the path: leave the foreign key out. */
export class ForeignKeyFixed extends BadRequest.with({ code: 'FOREIGN_KEY_FIXED', hidesCode: false }) {}
/** The parent has no value in the property that related records refer to: set it first. */
export class ParentKeyMissing extends BadRequest.with({ code: 'PARENT_KEY_MISSING', hidesCode: false }) {}
/**
 * The record exists, but the parent does not refer to it (referencesMany): add it first with `PUT /rel/:fk`.
 * @see recording relations/references-many
 */
export class NotReferenced extends BadRequest.with({ code: 'NOT_REFERENCED' }) {}
/** The parent of a hasOne relation already has its related record: change it with PUT, or delete it first. */
export class RelatedRecordExists extends ApiError.with({ code: 'RELATED_RECORD_EXISTS', statusCode: 409 }) {}
/** Scopes, embedsMany and referencesMany create one record at a time: send the records one by one. */
export class ListNotAllowed extends ApiError.with({ code: 'LIST_NOT_ALLOWED', statusCode: 422 }) {}
/** Records that must keep their parent (`onDelete: 'restrict'`) refer to the record: delete or change those first. */
export class DeletionRestricted extends ApiError.with({ code: 'DELETION_RESTRICTED', statusCode: 409 }) {}
