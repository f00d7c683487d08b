import { STATUS_CODES } from 'node:http'
import { ApiError } from '@modelwire/core'
import type { Rules } from '@modelwire/core/plugin'
import { InvalidAnswer } from '../errors.ts'
import type { ErrorSettings } from '../options.ts'
import { errorStatus } from './error-status.ts'
import { frameworkError, ownCodes } from './framework-error.ts'

/** The rules that errors are told by. */
export type ErrorRules = Pick<Rules, 'showsErrorStatus' | 'hidesOwnCodes'>

/** How much of an error is shown. */
export interface ErrorFactsOptions extends Pick<ErrorSettings, 'debug' | 'safeFields' | 'disableStackTrace'> {
  readonly rules: ErrorRules
}

/** What an error body holds. */
export type ErrorFacts = Record<string, unknown>

/** The properties of our own errors that LoopBack has as well. */
const knownFields = ['status', 'expose', 'body', 'type', 'code', 'details'] as const
const several = 'There are several errors, see `details`'

/**
 * The facts of `thrown` for clients: for a 4xx status, name, message, code and details; for a 5xx the standard phrase
 * of the status, and the code where it is one of Modelwire's own (501, 503, 507). A list of errors is a 500 whose
 * `details` follow the same rules one by one.
 * @param answered the status that the answer has already
 * @see LoopBack 3: strong-error-handler; recordings errors/* and remoting/errors
 */
export function errorFacts(thrown: unknown, options: ErrorFactsOptions, answered?: number): ErrorFacts {
  const error = frameworkError(thrown) ?? thrown
  if (Array.isArray(error)) return { statusCode: 500, message: several, details: listFacts(error, options) }
  const { code, shown } = errorStatus(error, answered)
  const base: ErrorFacts = { statusCode: shown }
  if (options.debug) addEverything(base, error, code, options)
  else if (code < 500) addClientFacts(base, error, options)
  else addServerFacts(base, error, code, options)
  for (const field of options.safeFields ?? []) addField(base, field, readField(error, field))
  return base
}

/** The standard phrase of a status. */
export function phraseOf(statusCode: number): string {
  return STATUS_CODES[statusCode] ?? 'Unknown Error'
}

/** The code that is shown: LoopBack sends some errors without one. */
function shownCode(error: unknown, { rules }: ErrorFactsOptions): unknown {
  const code = readField(error, 'code')
  if (!rules.hidesOwnCodes) return ownCodes.get(code) ?? code
  const hides = error instanceof ApiError ? error.hidesCode : typeof code === 'string' && code.startsWith('FST_ERR_')
  return hides ? undefined : code
}

/** `details`, in which errors are shown by the same rules. */
function shownDetails(error: unknown, options: ErrorFactsOptions): unknown {
  const details = readField(error, 'details')
  return Array.isArray(details) && details.some((item) => item instanceof Error) ? listFacts(details, options) : details
}

/** A property of whatever was thrown. */
export function readField(error: unknown, field: string): unknown {
  // Every object may be thrown; reading an absent property is harmless.
  return typeof error === 'object' && error !== null ? (error as ErrorFacts)[field] : undefined
}

/** Sets what there is; undefined and functions are not shown. */
export function addField(facts: ErrorFacts, field: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function' && field !== '__proto__') facts[field] = value
}

function listFacts(list: readonly unknown[], options: ErrorFactsOptions): unknown[] {
  return list.map((item) => (item === null || item === undefined ? null : errorFacts(item, options)))
}

function addClientFacts(facts: ErrorFacts, error: unknown, options: ErrorFactsOptions): void {
  addField(facts, 'name', readField(error, 'name'))
  addField(facts, 'message', readField(error, 'message'))
  addField(facts, 'code', shownCode(error, options))
  addField(facts, 'details', shownDetails(error, options))
}

/**
 * Clients can do something about a 503 of a database, and about what they send into a header; a 500 reveals no
 * internals.
 */
function addServerFacts(facts: ErrorFacts, error: unknown, code: number, options: ErrorFactsOptions): void {
  facts['message'] = phraseOf(code)
  const showsDetails = code > 500 || error instanceof InvalidAnswer
  if (showsDetails && error instanceof ApiError) addField(facts, 'code', shownCode(error, options))
}

function addEverything(facts: ErrorFacts, error: unknown, code: number, options: ErrorFactsOptions): void {
  if (typeof error !== 'object' || error === null) {
    facts['message'] = error === null || error === undefined ? phraseOf(code) : String(error)
    return
  }
  addField(facts, 'name', readField(error, 'name'))
  addField(facts, 'message', readField(error, 'message'))
  addOwnFields(facts, error, options)
  addField(facts, 'stack', readField(error, 'stack'))
}

/** Every property that is not in `facts` yet; of our own errors those that LoopBack has. */
export function addOwnFields(facts: ErrorFacts, error: object, options: ErrorFactsOptions): void {
  for (const field of error instanceof ApiError ? knownFields : fieldsOf(error)) {
    if (field in facts || field === 'stack' || field === 'statusCode') continue
    if (field === 'code') addField(facts, field, shownCode(error, options))
    else addField(facts, field, field === 'details' ? shownDetails(error, options) : readField(error, field))
  }
}

/** Inherited properties count, too. */
function fieldsOf(error: object): string[] {
  const fields: string[] = []
  for (const field in error) fields.push(field)
  return fields
}
