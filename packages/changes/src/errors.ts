import { ApiError } from '@modelwire/core'

/** A model has `changeLog`, but its table has no triggers that log changes: run the migrations; no restart is needed. */
export class ChangeLogNotMigrated extends ApiError.with({ code: 'CHANGE_LOG_NOT_MIGRATED', statusCode: 503 }) {}
/**
 * The server of a change transport (Redis, NATS) is unreachable, or refuses a command. Only logged: the database's log is
 * read meanwhile.
 */
export class ChangeTransportFailed extends ApiError.with({ code: 'CHANGE_TRANSPORT_FAILED', statusCode: 503 }) {}
