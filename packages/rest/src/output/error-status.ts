/** The status of an answer to an error. */
export interface ErrorStatus {
  /** The HTTP status, 400 to 599. */
  readonly code: number
  /** The status as the error has it: LoopBack answers a string where the error holds a string. */
  readonly shown: number | string
}

const serverError: ErrorStatus = { code: 500, shown: 500 }

/**
 * The status that `thrown` carries in `statusCode`, or else in `status`, or else the one that its answer was given before it was
 * thrown; 500 when none of them means an error. LB3: what is no object, and a list, is a 500 whatever was set before.
 * @see LoopBack 3: strong-error-handler, lib/handler.js, writeErrorToResponse
 */
export function errorStatus(thrown: unknown, answered?: number): ErrorStatus {
  const status = isSingle(thrown) ? statusIn(thrown) || answered : undefined
  const code = typeof status === 'string' || typeof status === 'number' ? Number(status) : Number.NaN
  if (!Number.isInteger(code) || code < 400 || code > 599) return serverError
  return { code, shown: typeof status === 'string' ? status : code }
}

/** True when `thrown` has a status of its own, whatever it is: the `errorStatus` of a method then does not apply. */
export function hasErrorStatus(thrown: unknown): boolean {
  return Boolean(statusIn(thrown))
}

const isSingle = (thrown: unknown): thrown is object =>
  typeof thrown === 'object' && thrown !== null && !Array.isArray(thrown)

function statusIn(thrown: unknown): unknown {
  if (!isSingle(thrown)) return undefined
  const { statusCode, status } = thrown as { statusCode?: unknown; status?: unknown } // any object may be thrown
  return statusCode || status
}
