import { errorFacts, type ErrorFacts, type ErrorFactsOptions } from './error-facts.ts'
import { errorFacts2 } from './error-facts-version2.ts'
import { errorStatus } from './error-status.ts'
import { frameworkError } from './framework-error.ts'

/** How an error body looks. */
export interface ErrorBodyOptions extends ErrorFactsOptions {
  /** The member that holds the facts; `error` when absent, none when false. */
  readonly rootProperty?: string | false | undefined
}

/** The answer to an error. */
export interface ErrorAnswer {
  readonly statusCode: number
  /** What is told about the error. */
  readonly facts: ErrorFacts
  /** The facts below the root property. */
  readonly body: ErrorFacts
}

/**
 * The answer to `thrown`, which may be anything. Undefined members are left out.
 * @see LoopBack 3: strong-error-handler, lib/data-builder.js
 */
export function errorBody(thrown: unknown, options: ErrorBodyOptions = {}): ErrorAnswer {
  const { version = 3, rootProperty = 'error' } = options
  const facts = version === 2 ? errorFacts2(thrown, options) : errorFacts(thrown, options)
  const statusCode = errorStatus(frameworkError(thrown) ?? thrown).code
  return { statusCode, facts, body: rootProperty === false ? facts : { [rootProperty]: facts } }
}

/** `body` as JSON; a value that contains itself is told as `[Circular]` there, and a big integer as text. */
export function writeErrorJson(body: ErrorFacts): string {
  try {
    return JSON.stringify(body)
  } catch {
    return JSON.stringify(withoutCycles(body, []))
  }
}

function withoutCycles(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (parents.includes(value)) return '[Circular]'
  const path = [...parents, value]
  if (Array.isArray(value)) return value.map((item) => withoutCycles(item, path))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutCycles(member, path)]))
}
