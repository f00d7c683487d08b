import { ApiError } from '@modelwire/core'

/** Somebody has the book. */
export class BookLent extends ApiError {
  override readonly code = 'BOOK_LENT'
  override readonly statusCode = 409
}

/** Nobody has the book. */
export class BookNotLent extends ApiError {
  override readonly code = 'BOOK_NOT_LENT'
  override readonly statusCode = 409
}
