import { STATUS_CODES } from 'node:http'
import { ApiError, DuplicateKey } from '@modelwire/core'
import type { Registry } from '@modelwire/core/plugin'
import { InvalidAnswer } from '../errors.ts'
import type { ErrorSettings } from '../options.ts'

/** An error of Fastify in LoopBack 3's form. */
interface FrameworkError {
  readonly statusCode: number
  readonly name: string
  readonly message: string
  readonly code: string
  /** Errors of LoopBack's own parsers and router have both statuses. */
  readonly status: number
  readonly stack?: string | undefined
}

const names: Readonly<Record<string, readonly [statusCode: number, name: string]>> = {
  FST_ERR_BAD_URL: [400, 'URIError'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'PayloadTooLargeError'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'UnsupportedMediaTypeError'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'BadRequestError'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'Error']
}

/** Codes of Fastify for what has a code here as well. */
const ownCodes: ReadonlyMap<unknown, string> = new Map([['FST_ERR_CTP_BODY_TOO_LARGE', 'PAYLOAD_TOO_LARGE']])

/**
 * What `thrown` means when Fastify made it because of the request; undefined for every other error, those of Fastify
 * about the application's code included.
 */
function frameworkError(thrown: unknown): FrameworkError | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined
  const { code } = thrown
  if (!code.startsWith('FST_ERR_')) return undefined
  // Reading the stack writes it, which costs more than the rest of the answer.
  const { message, stack } = thrown
  const own = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : 500
  const [statusCode, name] = names[code] ?? [own, 'Error']
  return statusCode < 500 ? { statusCode, name, message, code, status: statusCode, stack } : undefined
}

/** The status of an error response. */
interface ErrorStatus {
  /** The HTTP status, 400 to 599. */
  readonly code: number
  /** The status as written in the error: LoopBack returns a string if it is a string. */
  readonly shown: number | string
}

const serverError: ErrorStatus = { code: 500, shown: 500 }

/**
 * The status that `thrown` carries in `statusCode`, or else in `status`, or else the one that its answer was given before it was
 * thrown; 500 when none of them means an error. LB3: what is no object, and a list, is a 500 whatever was set before.
 * @see LoopBack 3: strong-error-handler, lib/handler.js, writeErrorToResponse
 */
function errorStatus(thrown: unknown, answered?: number): ErrorStatus {
  const status = isSingle(thrown) ? statusIn(thrown) || answered : undefined
  const code = typeof status === 'string' || typeof status === 'number' ? Number(status) : Number.NaN
  if (!Number.isInteger(code) || code < 400 || code > 599) return serverError
  return { code, shown: typeof status === 'string' ? status : code }
}

/** True if `thrown` has its own status, whatever it is: the `errorStatus` of a method then does not apply. */
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

/** The rules for reporting errors. */
export type ErrorRules = Pick<Registry['rules'], 'showsErrorStatus' | 'hidesOwnCodes'>

/** How much of an error is shown. */
interface ErrorFactsOptions extends Pick<ErrorSettings, 'debug' | 'safeFields' | 'disableStackTrace'> {
  readonly rules: ErrorRules
}

/** The contents of an error body. */
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
function errorFacts(thrown: unknown, options: ErrorFactsOptions, answered?: number): ErrorFacts {
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

/** The standard reason phrase of a status. */
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

/** `details`, in which errors are shown by the same rules. LB3: an error of a value that exists already has none. */
function shownDetails(error: unknown, options: ErrorFactsOptions): unknown {
  if (options.rules.hidesOwnCodes && error instanceof DuplicateKey) return undefined
  const details = readField(error, 'details')
  return Array.isArray(details) && details.some((item) => item instanceof Error) ? listFacts(details, options) : details
}

/** A property of whatever was thrown. */
function readField(error: unknown, field: string): unknown {
  // Every object may be thrown; reading an absent property is harmless.
  return typeof error === 'object' && error !== null ? (error as ErrorFacts)[field] : undefined
}

/** Sets what there is; undefined and functions are not shown. */
function addField(facts: ErrorFacts, field: string, value: unknown): void {
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
function addOwnFields(facts: ErrorFacts, error: object, options: ErrorFactsOptions): void {
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

/** The layout of an error body. */
export type ErrorBodyOptions = ErrorFactsOptions & Pick<ErrorSettings, 'rootProperty'>

/** The response to an error. */
export interface ErrorAnswer {
  readonly statusCode: number
  /** The facts of the error. */
  readonly facts: ErrorFacts
  /** The facts below the root property. */
  readonly body: ErrorFacts
}

/**
 * The response to `thrown`, which may be anything. Undefined members are omitted.
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

/**
 * The facts of `thrown` for a client of version 2, 5xx or not: `name`, `status`, `message`, every property of its own
 * (a `statusCode` among them), and the stack unless `disableStackTrace`, or in production.
 * @see recording version2/errors
 */
function errorFacts2(thrown: unknown, options: ErrorFactsOptions): ErrorFacts {
  const error = frameworkError(thrown) ?? thrown
  if (typeof error !== 'object' || error === null) return scalarFacts(error)
  if (Array.isArray(error)) return listFacts2(error, options)
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

function listFacts2(list: readonly unknown[], options: ErrorFactsOptions): ErrorFacts {
  const details = list.map((item) => (item === null || item === undefined ? null : errorFacts2(item, options)))
  return { name: 'Error', status: 500, message: 'There are several errors, see `details`', details }
}
