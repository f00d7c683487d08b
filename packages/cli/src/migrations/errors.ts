import { ApiError } from '@modelwire/core'

/** A migration file cannot be loaded, or exports something else than it should. */
export class MigrationFileInvalid extends ApiError {
  override readonly code = 'MIGRATION_FILE_INVALID'
  override readonly statusCode = 500
}

/** A file was changed after its migration was applied. */
export class MigrationChanged extends ApiError {
  override readonly code = 'MIGRATION_CHANGED'
  override readonly statusCode = 409
}

/** A migration that was applied is to be reverted, and its file is missing. */
export class MigrationFileMissing extends ApiError {
  override readonly code = 'MIGRATION_FILE_MISSING'
  override readonly statusCode = 409
}

/** No migration has the name that was given. */
export class MigrationUnknown extends ApiError {
  override readonly code = 'MIGRATION_UNKNOWN'
  override readonly statusCode = 404
}

/** New columns beside columns that no model has may be renamed ones: a migration cannot tell. */
export class MigrationRenameUnclear extends ApiError {
  override readonly code = 'MIGRATION_RENAME_UNCLEAR'
  override readonly statusCode = 409
}

/** A migration cannot be written while others wait to be applied: the database is behind the files. */
export class MigrationsPending extends ApiError {
  override readonly code = 'MIGRATIONS_PENDING'
  override readonly statusCode = 409
}

/** A migration ended halfway: somebody has to look at the database first. */
export class MigrationIncomplete extends ApiError {
  override readonly code = 'MIGRATION_INCOMPLETE'
  override readonly statusCode = 409
}

/** The way back of a migration has a step that was never written. */
export class MigrationDownMissing extends ApiError {
  override readonly code = 'MIGRATION_DOWN_MISSING'
  override readonly statusCode = 409
}

/** The way back of a migration deletes data, and that was not asked for. */
export class MigrationLosesData extends ApiError {
  override readonly code = 'MIGRATION_LOSES_DATA'
  override readonly statusCode = 409
}

/** A data source keeps no migrations in files. */
export class MigrationFilesUnsupported extends ApiError {
  override readonly code = 'MIGRATION_FILES_UNSUPPORTED'
  override readonly statusCode = 501
}
