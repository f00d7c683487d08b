import type { ErrorSettings } from '../options.ts'
import { errorFacts, type ErrorFacts, type ErrorFactsOptions } from './error-facts.ts'
import { errorFacts2 } from './error-facts-version2.ts'
import { errorStatus } from './error-status.ts'
import { frameworkError } from './framework-error.ts'

/** How an error body looks. */
export type ErrorBodyOptions = ErrorFactsOptions & Pick<ErrorSettings, 'rootProperty'>

/** The answer to an error. */
export interface ErrorAnswer {
  readonly statusCode: number
  /** The facts of the error. */
  readonly facts: ErrorFacts
  /** The facts below the root property. */
  readonly body: ErrorFacts
}

/**
 * The answer to `thrown`, which may be anything. Undefined members are left out.
 * @param answered the status that the answer has already. LB3: version 2 does not ask for it.
 * @see LoopBack 3: strong-error-handler, lib/data-builder.js
 */
export function errorBody(thrown: unknown, options: ErrorBodyOptions, answered?: number): ErrorAnswer {
  const { rules, rootProperty } = options
  const kept = rules.showsErrorStatus ? undefined : answered
  const facts = rules.showsErrorStatus ? errorFacts2(thrown, options) : errorFacts(thrown, options, kept)
  const statusCode = errorStatus(frameworkError(thrown) ?? thrown, kept).code
  return { statusCode, facts, body: rootProperty === false ? facts : { [rootProperty]: facts } }
}
