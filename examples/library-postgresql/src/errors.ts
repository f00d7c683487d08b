import { ApiError } from '@modelwire/core'

/** The book is lent already. */
export class BookLent extends ApiError {
  override readonly code = 'BOOK_LENT'
  override readonly statusCode = 409
}

/** The book is not lent. */
export class BookNotLent extends ApiError {
  override readonly code = 'BOOK_NOT_LENT'
  override readonly statusCode = 409
}
