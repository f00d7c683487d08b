import { validateHeaderName, validateHeaderValue } from 'node:http'
import { InvalidAnswer } from './errors.ts'

/**
 * `status`, which ends an answer: 200 to 599, or a text of it. Node would refuse others when the answer is on its way, too late
 * for another one.
 * @throws {InvalidAnswer} no answer ends with it
 */
export function checkStatus(status: unknown): number {
  const code = typeof status === 'string' ? Number(status) : status
  if (typeof code === 'number' && Number.isInteger(code) && code >= 200 && code <= 599) return code
  throw new InvalidAnswer(`${String(status)} is not a valid response status`)
}

/**
 * Looks at a header before it is set, since Node refuses the whole head later.
 * @throws {InvalidAnswer} the name is not a token, or a value has characters that headers do not have
 * @see RFC 9110 section 5.5
 */
export function checkHeader(name: string, value: unknown): void {
  const fault = headerFault(name, value)
  if (fault === undefined) return
  throw new InvalidAnswer(`the header ${JSON.stringify(name)} is invalid`, { cause: fault })
}

/** True for a header that can be sent. */
export function isHeader(name: string, value: unknown): boolean {
  return headerFault(name, value) === undefined
}

function headerFault(name: string, value: unknown): unknown {
  try {
    validateHeaderName(name)
    // Whatever code of the application set: the function refuses what is not a string.
    for (const item of [value].flat()) validateHeaderValue(name, item as string)
    return undefined
  } catch (fault) {
    return fault
  }
}
