/** The status of an answer to an error. */
export interface ErrorStatus {
  /** The HTTP status, 400 to 599. */
  readonly code: number
  /** The status as the error has it: LoopBack answers a string where the error holds a string. */
  readonly shown: number | string
}

const serverError: ErrorStatus = { code: 500, shown: 500 }

/**
 * The status that `thrown` carries in `statusCode`, or else in `status`; 500 when there is none, or when it does not
 * mean an error.
 */
export function errorStatus(thrown: unknown): ErrorStatus {
  const status = statusIn(thrown)
  const code = typeof status === 'string' || typeof status === 'number' ? Number(status) : Number.NaN
  if (!Number.isInteger(code) || code < 400 || code > 599) return serverError
  return { code, shown: typeof status === 'string' ? status : code }
}

/** True when `thrown` has a status of its own, whatever it is: the `errorStatus` of a method then does not apply. */
export function hasErrorStatus(thrown: unknown): boolean {
  return Boolean(statusIn(thrown))
}

function statusIn(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || Array.isArray(thrown)) return undefined
  const { statusCode, status } = thrown as { statusCode?: unknown; status?: unknown } // any object may be thrown
  return statusCode || status
}
