import { ApiError } from '@modelwire/core'
import { addField, addOwnFields, type ErrorFacts, type ErrorFactsOptions, phraseOf, readField } from './error-facts.ts'
import { errorStatus } from './error-status.ts'
import { frameworkError } from './framework-error.ts'

/**
 * The facts of `thrown` for a client of version 2, 5xx or not: `name`, `status`, `message`, every property of its own
 * (a `statusCode` among them), and the stack unless `disableStackTrace`, or in production.
 * @see recording version2/errors
 */
export function errorFacts2(thrown: unknown, options: ErrorFactsOptions): ErrorFacts {
  const error = frameworkError(thrown) ?? thrown
  if (typeof error !== 'object' || error === null) return scalarFacts(error)
  if (Array.isArray(error)) return listFacts(error, options)
  const { shown } = errorStatus(error)
  const facts: ErrorFacts = {
    name: 'Error',
    status: readField(error, 'status') ?? shown,
    message: phraseOf(Number(shown))
  }
  addField(facts, 'name', readField(error, 'name'))
  addField(facts, 'message', readField(error, 'message'))
  if (error instanceof ApiError || 'statusCode' in error) facts['statusCode'] = shown
  addOwnFields(facts, error, options)
  if (!options.disableStackTrace && process.env['NODE_ENV'] !== 'production')
    addField(facts, 'stack', readField(error, 'stack'))
  return facts
}

function scalarFacts(thrown: unknown): ErrorFacts {
  const message = thrown === undefined || thrown === null ? phraseOf(500) : String(thrown)
  return { name: 'Error', status: 500, message, statusCode: 500 }
}

function listFacts(list: readonly unknown[], options: ErrorFactsOptions): ErrorFacts {
  const details = list.map((item) => (item === null || item === undefined ? null : errorFacts2(item, options)))
  return { name: 'Error', status: 500, message: 'There are several errors, see `details`', details }
}
