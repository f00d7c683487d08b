import { HttpError } from 'ra-core'
import { isObject } from './records.ts'

/** Messages by field name. A dot in a name is a path into an object or a list, as in the `source` of an input. */
type FieldErrors = Readonly<Record<string, string>>

/** How the server says where inside of a value something is wrong: by a JSON pointer, or by names. */
const pointerIn = /^has a wrong value at ((?:\/[^/\s:]+)+): (.+)$/s

const nameIn = /^has "([^"]+)" that (.+)$/s

const unescape = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** LoopBack lists the messages of a property; hooks of an application may give one text. */
const textsOf = (messages: unknown): string[] =>
  (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string')

/** What is shown for a 412 where the option `conflictMessage` is absent. */
const defaultConflictMessage =
  'Someone else has changed this record in the meantime. Reload it and make your changes again.'

/** The user searches a resource without the option `search`. */
export class SearchNotConfigured extends HttpError {
  readonly code = 'SEARCH_NOT_CONFIGURED'
  readonly statusCode = 400

  constructor(resource: string) {
    super(`Set resources.${resource}.search to the properties that the filter "q" searches`, 400)
    // The constructor of HttpError makes every instance one of HttpError alone.
    Object.setPrototypeOf(this, SearchNotConfigured.prototype)
  }
}

/** A response with an error status. */
export interface ErrorAnswer {
  readonly status: number
  readonly statusText: string
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown
}

/** The error in a body: below `error`, unless the server's `rootProperty` is false. */
function errorIn(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body)) return {}
  return isObject(body['error']) ? body['error'] : body
}

/**
 * The error in react-admin's form: its `body` is the error of the response (`code`, `details`), with `errors` by field if
 * the server reports them.
 * @param conflictMessage the message of a 412
 */
export function toHttpError(answer: ErrorAnswer, conflictMessage = defaultConflictMessage): HttpError {
  const { status, statusText } = answer
  const error = errorIn(answer.body)
  const own = typeof error['message'] === 'string' && error['message'] !== '' ? error['message'] : undefined
  const message = status === 412 ? conflictMessage : (own ?? (statusText === '' ? `HTTP ${status}` : statusText))
  const errors = fieldErrors(status, error['details'])
  return new HttpError(message, status, { ...error, ...(errors === undefined ? {} : { errors }) })
}

/** The `code` of an error made by `toHttpError`; undefined for others. */
export function codeOf(error: unknown): unknown {
  if (!(error instanceof HttpError)) return undefined
  const body: unknown = error.body
  return isObject(body) ? body['code'] : undefined
}

/** One message of a field, with the name of the innermost field that it is about. */
function locate(field: string, message: string): readonly [field: string, message: string] {
  const [, pointer, text] = pointerIn.exec(message) ?? []
  if (pointer !== undefined && text !== undefined)
    return [[field, ...pointer.slice(1).split('/').map(unescape)].join('.'), text]
  const [, name, rest] = nameIn.exec(message) ?? []
  return name === undefined || rest === undefined ? [field, message] : locate(`${field}.${name}`, rest)
}

function add(errors: Map<string, string>, [field, message]: readonly [string, string]): void {
  const present = errors.get(field)
  errors.set(field, present === undefined ? message : `${present}; ${message}`)
}

/**
 * What is wrong with which field, read from the `details` of a 422; undefined for other errors.
 * @see LoopBack 3: loopback-datasource-juggler, lib/validations.js, ValidationError
 */
function fieldErrors(status: number, details: unknown): FieldErrors | undefined {
  if (status !== 422 || !isObject(details) || !isObject(details['messages'])) return undefined
  const errors = new Map<string, string>()
  for (const [property, messages] of Object.entries(details['messages']))
    for (const message of textsOf(messages)) add(errors, locate(property, message))
  return errors.size === 0 ? undefined : Object.fromEntries(errors)
}
