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
