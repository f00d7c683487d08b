/** The status of an answer to an error. */
export interface ErrorStatus {
  /** The HTTP status, 400 to 599. */
  readonly code: number
  /** The same as the error has it: LoopBack answers a text when the error holds a text. */
  readonly shown: number | string
}

const serverError: ErrorStatus = { code: 500, shown: 500 }

/**
 * The status that `thrown` carries in `statusCode`, or else in `status`; 500 when there is none, or when it does not
 * mean an error.
 */
export function errorStatus(thrown: unknown): ErrorStatus {
  const given = givenStatus(thrown)
  const code = typeof given === 'string' || typeof given === 'number' ? Number(given) : Number.NaN
  if (!Number.isInteger(code) || code < 400 || code > 599) return serverError
  return { code, shown: typeof given === 'string' ? given : code }
}

/** True when `thrown` has a status of its own, whatever it is: the `errorStatus` of a method then does not apply. */
export function hasErrorStatus(thrown: unknown): boolean {
  return Boolean(givenStatus(thrown))
}

function givenStatus(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || Array.isArray(thrown)) return undefined
  const { statusCode, status } = thrown as { statusCode?: unknown; status?: unknown } // any object may be thrown
  return statusCode || status
}
