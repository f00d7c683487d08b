import { ApiError } from '@modelwire/core'

/** Models log their changes, and the database does not do so yet: it has to be migrated. */
export class ChangeLogNotMigrated extends ApiError {
  override readonly code = 'CHANGE_LOG_NOT_MIGRATED'
  override readonly statusCode = 503
}

/** The server that carries changes to other processes cannot be reached, or refuses: they read the database's log meanwhile. */
export class ChangeTransportFailed extends ApiError {
  override readonly code = 'CHANGE_TRANSPORT_FAILED'
  override readonly statusCode = 503
}
