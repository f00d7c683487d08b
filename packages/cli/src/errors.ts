import { ApiError, DefinitionError } from '@modelwire/core'

/** A usage error, or a decision that the user must make. Printed without a stack. */
export class CommandError extends Error {
  /** Identifies the error, for scripts. */
  readonly code: string
  readonly exitCode: number

  constructor(code: string, message: string, exitCode = 2, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'CommandError'
    this.code = code
    this.exitCode = exitCode
  }
}

/** The old server, which owns the route, refuses connections or closes one before it responds: look at its log. */
export class OldServerUnreachable extends ApiError.with({ code: 'OLD_SERVER_UNREACHABLE', statusCode: 502 }) {}
/** The old server did not start to respond within `--behind-timeout`, or no connection was established within ten seconds. */
export class OldServerTimeout extends ApiError.with({ code: 'OLD_SERVER_TIMEOUT', statusCode: 504 }) {}
/** The path or a header of a request cannot be forwarded, or its target names another host than `Host`. */
export class RequestNotForwardable extends ApiError.with({ code: 'REQUEST_NOT_FORWARDABLE', statusCode: 400 }) {}
/** A request to the control API has no token, or that of another start: see `.modelwire/control.json`. */
export class ControlTokenRequired extends ApiError.with({ code: 'CONTROL_TOKEN_REQUIRED', statusCode: 401 }) {}
/** A request to the control API uses a name other than 127.0.0.1 or localhost, or comes from a page of another origin. */
export class ControlOriginRefused extends ApiError.with({ code: 'CONTROL_ORIGIN_REFUSED', statusCode: 403 }) {}
/** A request to the control API is malformed: send `owner` with `routes` or `all`. */
export class ControlRequestInvalid extends ApiError.with({ code: 'CONTROL_REQUEST_INVALID', statusCode: 400 }) {}
/** The control API only has the paths `/`, `/state`, `/differences` and `/handover`. */
export class ControlPathUnknown extends ApiError.with({ code: 'CONTROL_PATH_UNKNOWN', statusCode: 404 }) {}
/** The control API failed: the log says why. */
export class ControlFailed extends ApiError.with({ code: 'CONTROL_FAILED', statusCode: 500 }) {}
/** A handover names an unknown route: `modelwire handover <dir>` lists them. */
export class UnknownRoute extends ApiError.with({ code: 'ROUTE_NOT_KNOWN', statusCode: 404 }) {}
/** Routes were switched, but the state file could not be written: a restart would undo it. Make the file writable and try again. */
export class HandoverNotSaved extends ApiError.with({ code: 'HANDOVER_NOT_SAVED', statusCode: 500 }) {}

/** The body of an error response, in the usual format. */
export const errorBody = (error: Pick<ApiError, 'statusCode' | 'message'> & { readonly code?: string }): object => {
  const { statusCode, message, code } = error
  return { error: { statusCode, name: 'Error', message, code } }
}

/** A migration file cannot be loaded, or has invalid exports. */
export class MigrationFileInvalid extends ApiError.with({ code: 'MIGRATION_FILE_INVALID', statusCode: 500 }) {}
/** A migration file was changed after it ran: restore the file, or add `--accept-changed`. */
export class MigrationChanged extends ApiError.with({ code: 'MIGRATION_CHANGED', statusCode: 409 }) {}
/** `--create` finds new columns as well as unused ones, which may be renames: add `--rename`, or `--no-rename`. */
export class MigrationRenameUnclear extends ApiError.with({ code: 'MIGRATION_RENAME_UNCLEAR', statusCode: 409 }) {}
/** The file of a migration that should be reverted is missing: restore it. */
export class MigrationFileMissing extends ApiError.with({ code: 'MIGRATION_FILE_MISSING', statusCode: 409 }) {}
/** No migration, or several, have the given name: see `--status`. */
export class MigrationUnknown extends ApiError.with({ code: 'MIGRATION_UNKNOWN', statusCode: 404 }) {}
/** `--create` finds migrations that were not applied to the database yet: apply them first. */
export class MigrationsPending extends ApiError.with({ code: 'MIGRATIONS_PENDING', statusCode: 409 }) {}
/** A migration, or its reversal, was only partly done: finish it, with `--resume` if the message says so. */
export class MigrationIncomplete extends ApiError.with({ code: 'MIGRATION_INCOMPLETE', statusCode: 409 }) {}
/** The reversal of a migration has a step that was never written: write it in place of `missing`. */
export class MigrationDownMissing extends ApiError.with({ code: 'MIGRATION_DOWN_MISSING', statusCode: 409 }) {}
/** Reverting would delete data: add `--lose-data`, or write another reversal. */
export class MigrationLosesData extends ApiError.with({ code: 'MIGRATION_LOSES_DATA', statusCode: 409 }) {}
/** Migration files require an SQL database: a file, or `--create`, names another data source, or none. */
export class MigrationFilesUnsupported extends ApiError.with({
  code: 'MIGRATION_FILES_UNSUPPORTED',
  statusCode: 501
}) {}

/** The location of an error in the seeds. Records are counted from 0. */
export interface SeedPlace {
  /** Relative to the folder of the seeds. */
  readonly file?: string
  readonly index?: number
  /** The property of the record. */
  readonly key?: string
}

function whereOf({ file, index, key }: SeedPlace): { file?: string; key?: string } {
  const record = index === undefined ? '' : `[${index}]`
  const path = [record, key].filter((part) => part !== undefined && part !== '').join('.')
  return { ...(file === undefined ? {} : { file }), ...(path === '' ? {} : { key: path }) }
}

/** An error in the seeds. `where.file` and `index` identify the record. */
export abstract class SeedError extends DefinitionError {
  readonly index?: number

  constructor(message: string, place: SeedPlace = {}, options?: ErrorOptions) {
    super(message, whereOf(place), options)
    if (place.index !== undefined) this.index = place.index
  }
}

/** The folder of the seeds cannot be read. */
export class SeedFolderMissing extends SeedError.with({ code: 'SEED_FOLDER_MISSING' }) {}
/** A file is not a JSON list of objects, a record is empty, a script exports no function, or a `$ref` names no property. */
export class SeedFileInvalid extends SeedError.with({ code: 'SEED_FILE_INVALID' }) {}
/** A file or a `$ref` is not named after a model, or `only` names no file. */
export class SeedNameUnknown extends SeedError.with({ code: 'SEED_NAME_UNKNOWN' }) {}

/** Models require keys of each other (`models` names them): make one of the keys optional. */
export class SeedCycle extends SeedError.with({ code: 'SEED_CYCLE' }) {
  /** The names of the models, each of which requires the next; the last is the first. */
  readonly models: readonly string[]

  constructor(models: readonly string[]) {
    super(`models refer to each other in a circle: ${models.join(' → ')}. Make one of these keys optional`)
    this.models = models
  }
}

/** No record has the values of a `$ref`: add the record, or correct the values. */
export class SeedReferenceMissing extends SeedError.with({ code: 'SEED_REFERENCE_MISSING' }) {}
/** Several records have the values of a `$ref`: name more values. */
export class SeedReferenceAmbiguous extends SeedError.with({ code: 'SEED_REFERENCE_AMBIGUOUS' }) {}
/** Two records of the files describe the same stored one: remove one of them. */
export class SeedRecordTwice extends SeedError.with({ code: 'SEED_RECORD_TWICE' }) {}
/** The model or the database refuses a record; `cause` says why. */
export class SeedRecordRefused extends SeedError.with({ code: 'SEED_RECORD_REFUSED' }) {}
/** A script threw; `cause` is its error. */
export class SeedScriptFailed extends SeedError.with({ code: 'SEED_SCRIPT_FAILED' }) {}
/** `reset` would delete records in production: allow it by `force`. */
export class SeedResetRefused extends SeedError.with({ code: 'SEED_RESET_REFUSED' }) {}

/** An error in a test's requirements of the application. */
export abstract class TestServerError extends DefinitionError {}

/** The function under test returns no Fastify server, one without models, or one whose data sources already exist. */
export class TestAppInvalid extends TestServerError.with({ code: 'TEST_APP_INVALID' }) {}
/** `dataSources` names a data source that the application does not have. */
export class TestDataSourceUnknown extends TestServerError.with({ code: 'TEST_DATA_SOURCE_UNKNOWN' }) {}
/** A user is requested, and no model has users with tokens, or not the named one: register `users`. */
export class TestUserModelMissing extends TestServerError.with({ code: 'TEST_USER_MODEL_MISSING' }) {}
/** A user is requested, and several models extend `User`: name one by `model`. */
export class TestUserModelAmbiguous extends TestServerError.with({ code: 'TEST_USER_MODEL_AMBIGUOUS' }) {}
/** A role is requested, and the application stores none: register `acl`, or attach `Role` and `RoleMapping` to a data source. */
export class TestRolesMissing extends TestServerError.with({ code: 'TEST_ROLES_MISSING' }) {}
/** An OAuth 2.0 token is requested, and the application issues none: register `oauth2`. */
export class TestOAuthMissing extends TestServerError.with({ code: 'TEST_OAUTH_MISSING' }) {}
