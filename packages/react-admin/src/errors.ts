import { HttpError } from 'ra-core'
import { fieldErrors } from './field-errors.ts'
import { isObject } from './is-object.ts'

/** What is shown for a 412 where the option `conflictMessage` is absent. */
const defaultConflictMessage =
  'Someone else has changed this record in the meantime. Reload it and make your changes again.'

/** The user searches a resource whose option `search` is absent. */
export class SearchNotConfigured extends HttpError {
  readonly code = 'SEARCH_NOT_CONFIGURED'
  readonly statusCode = 400

  constructor(resource: string) {
    super(`Set resources.${resource}.search to the properties that the filter "q" searches`, 400)
    // The constructor of HttpError makes every instance one of HttpError alone.
    Object.setPrototypeOf(this, SearchNotConfigured.prototype)
  }
}

/** An answer with an error status. */
export interface ErrorAnswer {
  readonly status: number
  readonly statusText: string
  /** The body as it was parsed; undefined where it is not JSON. */
  readonly body: unknown
}

/** The error in a body: below `error`, unless the server's `rootProperty` is false. */
function errorIn(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body)) return {}
  return isObject(body['error']) ? body['error'] : body
}

/**
 * The error that react-admin understands: its `body` is the error of the answer (`code`, `details`), and has `errors` by field where
 * the server says what is wrong with which.
 * @param conflictMessage the message of a 412
 */
export function toHttpError(answer: ErrorAnswer, conflictMessage = defaultConflictMessage): HttpError {
  const { status, statusText } = answer
  const error = errorIn(answer.body)
  const own = typeof error['message'] === 'string' && error['message'] !== '' ? error['message'] : undefined
  const message = status === 412 ? conflictMessage : (own ?? (statusText === '' ? `HTTP ${status}` : statusText))
  const errors = fieldErrors(status, error['details'])
  return new HttpError(message, status, { ...error, ...(errors === undefined ? {} : { errors }) })
}

/** The `code` of an error that `toHttpError` made; undefined for others. */
export function codeOf(error: unknown): unknown {
  if (!(error instanceof HttpError)) return undefined
  const body: unknown = error.body
  return isObject(body) ? body['code'] : undefined
}
