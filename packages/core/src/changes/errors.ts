import { ApiError } from '../errors.ts'

/** A reader of a change stream does not keep up: it is ended rather than served with gaps. */
export class ChangeReaderTooSlow extends ApiError {
  override readonly code = 'CHANGE_READER_TOO_SLOW'
  override readonly statusCode = 503
}
