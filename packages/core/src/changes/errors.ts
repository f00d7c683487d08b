import { ApiError } from '../errors.ts'

/** A position is not one of this log, or changes behind it were purged: what was missed has to be read from the records. */
export class LogPositionUnknown extends ApiError {
  override readonly code = 'LOG_POSITION_UNKNOWN'
  override readonly statusCode = 410
}

/** A reader of a change stream does not keep up: it is ended rather than served with gaps. */
export class ChangeReaderTooSlow extends ApiError {
  override readonly code = 'CHANGE_READER_TOO_SLOW'
  override readonly statusCode = 503
}
